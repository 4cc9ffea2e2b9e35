import { encodeTime } from "ulid";
import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { AUDIT_TYPES, isAuditType } from "@/server/domain/audit";
import { idOf, prefixOf } from "@/server/domain/ids";
import { cutPage, pageOf } from "@/server/domain/page";
import { type AuditRecord, type AuditRecordRow, viewOf } from "@/server/services/audit/view";
import { command } from "@/server/services/command";

const groups = new Set(Object.keys(AUDIT_TYPES).map((type) => type.slice(0, type.indexOf("."))));
const isKnown = (what: string) => isAuditType(what) || groups.has(what);

const input = z.strictObject({
  /** A member, an agent (then also what was done on its behalf), or the name of a job. */
  who: z.string().min(1).max(64).optional(),
  /** A type such as `approval.rejected`, or a group such as `approval`. */
  what: z.string().max(64).refine(isKnown, "must be a type of audit entry, or the word before its dot").optional(),
  request: idOf("toolRequest").optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  ...pageOf("auditEvent"),
});
type Filter = z.output<typeof input>;

/** Audit entries, newest first, and the names of the members and agents in them. */
export const listAudit = command({
  name: "audit.list",
  callers: ["member"],
  permission: "audit:read",
  input,
  run: (actor, filter) =>
    withOrgSql(actor.orgId, async (q) => {
      const { where, values } = conditions(q.orgId, filter);
      const { rows } = await q.query<AuditRecordRow>(
        `SELECT e.id, e.type, e.created_at, e.canonical, s.idx, s.hash, ${PERSONAL}
         FROM audit_event e LEFT JOIN audit_seal s ON s.org_id = e.org_id AND s.event_id = e.id
         WHERE ${where.join(" AND ")} ORDER BY e.id DESC LIMIT ${filter.limit + 1}`,
        values,
      );
      const page = cutPage(rows.map(viewOf), filter.limit);
      return { ...page, names: await namesIn(q, page.items) };
    }),
});

/** The personal values of `e` that are not erased, as one document. */
const PERSONAL = `(SELECT jsonb_object_agg(p.field, p.value) FROM audit_personal p
  WHERE p.org_id = e.org_id AND p.event_id = e.id) AS personal`;

/** Ids are made by the clocks of many machines, so a search by time looks this much further on either side. */
const CLOCK_SLACK_MS = 5 * 60_000;
const idAt = (ms: number) => `${prefixOf("auditEvent")}_${encodeTime(Math.max(0, ms), 10)}`;

function conditions(orgId: string, filter: Filter): { where: readonly string[]; values: readonly unknown[] } {
  const values: unknown[] = [orgId];
  const where = ["e.org_id = $1"];
  const add = (value: unknown, ...texts: readonly ((place: string) => string)[]) => {
    if (value === undefined) return;
    values.push(value);
    where.push(...texts.map((text) => text(`$${values.length}`)));
  };
  add(filter.cursor, (place) => `e.id < ${place}`);
  add(filter.request, (place) => `e.request_id = ${place}`);
  if (filter.who !== undefined) add(filter.who, (place) => whoIs(filter.who ?? "", place));
  if (filter.what !== undefined) add(filter.what, (place) => whatIs(filter.what ?? "", place));
  if (filter.from !== undefined) {
    add(filter.from, (place) => `e.created_at >= ${place}::timestamptz`);
    add(idAt(Date.parse(filter.from) - CLOCK_SLACK_MS), (place) => `e.id >= ${place}`);
  }
  if (filter.to !== undefined) {
    add(filter.to, (place) => `e.created_at < ${place}::timestamptz`);
    add(idAt(Date.parse(filter.to) + CLOCK_SLACK_MS), (place) => `e.id < ${place}`);
  }
  return { where, values };
}

// The second condition is what lets the planner use the partial index.
function whoIs(who: string, place: string): string {
  if (who.startsWith(`${prefixOf("agent")}_`)) return `e.agent_id = ${place}`;
  return `e.actor_id = ${place}${who.startsWith("mem_") ? " AND starts_with(e.actor_id, 'mem_')" : ""}`;
}

function whatIs(what: string, place: string): string {
  const partial = what.startsWith("request") ? "" : " AND NOT starts_with(e.type, 'request.')";
  return (isAuditType(what) ? `e.type = ${place}` : `e.type ^@ (${place} || '.')`) + partial;
}

async function namesIn(q: OrgSql, items: readonly AuditRecord[]): Promise<Record<string, string>> {
  const ids = new Set(
    items.flatMap((item) => [item.actor?.id, item.person, item.agent, ...item.approvers].filter((id) => id != null)),
  );
  const { rows } = await q.query<{ id: string; name: string }>(
    `SELECT id, name FROM member WHERE org_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, name FROM agent WHERE org_id = $1 AND id = ANY ($2)`,
    [q.orgId, [...ids]],
  );
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
