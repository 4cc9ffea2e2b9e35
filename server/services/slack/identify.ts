import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import type { Permission } from "@/server/domain/permission";
import { permissionsOfPerson } from "@/server/domain/permission";
import { roleSchema } from "@/server/domain/roles";
import { HAS_RIGHT } from "@/server/services/identity/admit-person";

/** A person as Slack signed it, in the organization that connected the workspace. */
export type SlackPerson = { readonly orgId: string; readonly teamId: string; readonly userId: string };

type Row = { id: string; name: string; role: string; disabled_at: Date | null; has_right: boolean; wait: number };

/** What each thing that can be done from Slack opens: no press and no command comes with more than it needs. */
const OPENED_BY = {
  press: ["approval:decide"],
  status: ["control:read", "agent:read", "approval:read"],
  control: ["control:activate", "control:read", "agent:read"],
  home: ["self:read", "approval:read", "approval:decide"],
} as const satisfies Record<string, readonly Permission[]>;
export type SlackPurpose = keyof typeof OPENED_BY;

const refused = (reason: string, message: string) => new AppError("forbidden", message, { reason });

/**
 * The member behind a person of Slack, with the role of this moment and of its permissions those of the purpose. Throws
 * AppError `slack_unlinked`, `slack_disabled`, `rate_limited`.
 */
export async function identify({ orgId, teamId, userId }: SlackPerson, purpose: SlackPurpose): Promise<MemberActor> {
  const credentialId = `slack:${teamId}:${userId}`;
  const { rows } = await withOrgSql(orgId, (q) =>
    q.query<Row>(
      `SELECT m.id, m.name, m.role, m.disabled_at, ${HAS_RIGHT}, app.take_token($3, o.requests_per_minute, o.request_burst) AS wait
       FROM slack_link l JOIN member m ON m.org_id = l.org_id AND m.id = l.member_id CROSS JOIN organization o
       WHERE l.team_id = $1 AND l.user_id = $2`,
      [teamId, userId, credentialId],
    ),
  );
  const [row] = rows;
  if (row === undefined) {
    throw refused(
      "slack_unlinked",
      "Nothing was done. Your Slack account is not linked: sign in to Countersign and link yourself on its Slack page.",
    );
  }
  if (row.disabled_at !== null) throw refused("slack_disabled", "Nothing was done. Your account is disabled.");
  if (row.wait > 0) {
    throw new AppError("rate_limited", "Nothing was done. Too many at once: wait a moment.", {
      retryAfterS: Math.ceil(row.wait),
    });
  }
  const role = roleSchema.parse(row.role);
  const ofRole = permissionsOfPerson(role, row.has_right);
  const permissions = new Set(OPENED_BY[purpose].filter((permission) => ofRole.has(permission)));
  return { kind: "member", orgId, memberId: row.id, name: row.name, role, via: "slack", credentialId, permissions };
}
