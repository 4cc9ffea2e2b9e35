import type { OrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { KillLevel } from "@/server/services/controls/control-row";
import { sealReason } from "@/server/services/controls/reason";

export type ControlChange = {
  readonly actor: MemberActor;
  /** Of the controls after the change. */
  readonly version: number;
  readonly control: "kill_switch" | "read_only" | "action";
  readonly level?: KillLevel | null;
  /** The tool or action. */
  readonly subject?: string;
  readonly enabled: boolean;
  readonly reason: string;
  /** Whether the change stops something rather than letting it go on. */
  readonly isStop: boolean;
};

/** Keeps who moved a control and why, and tells open pages. A version can be written once only. */
export async function recordControlChange(q: OrgSql, change: ControlChange): Promise<void> {
  const { actor, version, control, level = null, subject = null, enabled, isStop } = change;
  const sealed = await sealReason(q, change.reason, { version, isStop });
  await q.query(
    `INSERT INTO control_change (org_id, version, control, level, subject, enabled, changed_by, sealed_reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())`,
    [q.orgId, version, control, level, subject, enabled, actor.memberId, sealed],
  );
  await q.query("SELECT app.tell('control', $1)", [q.orgId]);
}
