import type { OrgSql } from "@/server/db/with-org";
import type { AuditActor } from "@/server/domain/audit";
import type { SlackProblem } from "@/server/domain/slack-problem";
import { auditSql } from "@/server/services/audit/record";
import { mailManagers } from "@/server/services/slack/mail-managers";

type Removal = { readonly teamId: string; readonly why: "disconnected" | "uninstalled" };

/** Takes an installation out of use and forgets its token; false where it was out of use already. */
export async function removeWorkspace(q: OrgSql, actor: AuditActor, { teamId, why }: Removal): Promise<boolean> {
  const { rows } = await q.query<{ at: Date }>(
    `UPDATE slack_workspace SET removed_at = clock_timestamp(), sealed_token = NULL, problem = $2, problem_at = clock_timestamp()
     WHERE team_id = $1 AND removed_at IS NULL RETURNING removed_at AS at`,
    [teamId, why === "uninstalled" ? why : null],
  );
  const [row] = rows;
  if (row === undefined) return false;
  await auditSql(q, { type: "slack.disconnected", actor, at: row.at, fields: { team: teamId, why } });
  if (why === "uninstalled") await mailManagers(q, { kind: "slack_problem", teamId, problem: why, at: row.at });
  return true;
}

type Noted = { readonly teamId: string; readonly problem: SlackProblem | null; readonly forgetToken?: boolean };

/** Notes what is wrong with an installation, or that nothing is. What is known already is not recorded again. */
export async function noteProblem(
  q: OrgSql,
  actor: AuditActor,
  { teamId, problem, forgetToken = false }: Noted,
): Promise<void> {
  const { rows } = await q.query<{ at: Date }>(
    `UPDATE slack_workspace SET problem = $2, problem_at = CASE WHEN $2::text IS NULL THEN NULL ELSE clock_timestamp() END,
       sealed_token = CASE WHEN $3 THEN NULL ELSE sealed_token END
     WHERE team_id = $1 AND removed_at IS NULL AND problem IS DISTINCT FROM $2 RETURNING clock_timestamp() AS at`,
    [teamId, problem, forgetToken],
  );
  const [row] = rows;
  if (row === undefined) return;
  await auditSql(q, { type: "slack.problem", actor, at: row.at, fields: { team: teamId, problem: problem ?? "none" } });
  if (problem !== null) await mailManagers(q, { kind: "slack_problem", teamId, problem, at: row.at });
}
