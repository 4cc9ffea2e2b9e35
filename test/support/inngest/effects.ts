import pg from "pg";

/** Effects as rows that survive the process which made them: the witness of tests that kill processes. */
export const CREATE_EFFECTS = `CREATE TABLE effects (
  n integer NOT NULL, step text NOT NULL, pid integer NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())`;

export type Effects = { record(n: number, step: string): Promise<void>; close(): Promise<void> };

export function openEffects(url: string): Effects {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  return {
    record: async (n, step) => {
      await pool.query("INSERT INTO effects (n, step, pid) VALUES ($1, $2, $3)", [n, step, process.pid]);
    },
    close: () => pool.end(),
  };
}
