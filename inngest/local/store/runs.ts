import { eventSchema, type Run, type RunStatus, runStateSchema } from "@/inngest/local/model";
import type { Tx } from "@/inngest/local/store/database";

type RunRow = { id: string; function_id: string; status: RunStatus; event: string; state: string };

const toRun = (row: RunRow): Run => ({
  id: row.id,
  functionId: row.function_id,
  status: row.status,
  event: eventSchema.parse(JSON.parse(row.event)),
  state: runStateSchema.parse(JSON.parse(row.state)),
});

/** Stores a run that starts now. */
export async function addRun(tx: Tx, run: Run): Promise<void> {
  await tx.run(
    "INSERT INTO inngest_local.runs (id, function_id, status, event, state, started_at) VALUES ($1, $2, $3, $4, $5, $6)",
    [run.id, run.functionId, run.status, JSON.stringify(run.event), JSON.stringify(run.state), new Date(tx.now)],
  );
}

/** The run, locked until the transaction ends if it still runs; undefined if it has ended. Take this before any item. */
export async function lockRunning(tx: Tx, id: string): Promise<Run | undefined> {
  const [row] = await tx.query<RunRow>(
    `SELECT id, function_id, status, event, state FROM inngest_local.runs
     WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE`,
    [id],
  );
  return row && toRun(row);
}

/** Keeps what changed of a running run. */
export async function saveState(tx: Tx, run: Run): Promise<void> {
  await tx.run("UPDATE inngest_local.runs SET state = $2 WHERE id = $1", [run.id, JSON.stringify(run.state)]);
}

/** Ends a run with its output, and drops whatever was due or waiting for it. */
export async function endRun(tx: Tx, run: Run, status: RunStatus, output: unknown): Promise<void> {
  run.status = status;
  await tx.run("UPDATE inngest_local.runs SET status = $2, state = $3, output = $4, ended_at = $5 WHERE id = $1", [
    run.id,
    status,
    JSON.stringify(run.state),
    JSON.stringify(output),
    new Date(tx.now),
  ]);
  await tx.run("DELETE FROM inngest_local.items WHERE run_id = $1", [run.id]);
  await tx.run("DELETE FROM inngest_local.pauses WHERE run_id = $1", [run.id]);
}

/** The memoized steps in the order of their completion, each value as JSON. */
export async function stepsOf(tx: Tx, runId: string): Promise<{ id: string; value: string }[]> {
  return await tx.query("SELECT step_id AS id, value FROM inngest_local.steps WHERE run_id = $1 ORDER BY seq", [runId]);
}

/** Whether the step has a value already. */
export async function hasStep(tx: Tx, runId: string, stepId: string): Promise<boolean> {
  const rows = await tx.query("SELECT 1 FROM inngest_local.steps WHERE run_id = $1 AND step_id = $2", [runId, stepId]);
  return rows.length > 0;
}

/** Memoizes a step. False if it had a value already, which stands. */
export async function saveStep(tx: Tx, step: { runId: string; stepId: string; value: string }): Promise<boolean> {
  const saved = await tx.run(
    "INSERT INTO inngest_local.steps (run_id, step_id, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [step.runId, step.stepId, step.value],
  );
  return saved > 0;
}
