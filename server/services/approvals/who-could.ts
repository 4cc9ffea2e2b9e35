import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import type { Away } from "@/server/domain/absence";
import { approverRoleSchema, type Role, roleSchema } from "@/server/domain/roles";
import { awayNow } from "@/server/services/absences/away-now";
import { decides } from "@/server/services/approvals/authority";
import { decidesOwnSql } from "@/server/services/approvals/own-request";
import { REQUESTERS } from "@/server/services/approvals/requesters";

const rowSchema = z.object({
  id: z.string(),
  required_role: approverRoleSchema,
  required_people: z.int(),
  count: z.int(),
  given: z.int(),
  people: z.array(z.object({ id: z.string(), name: z.string(), role: roleSchema })),
});

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Whether they are out, and who stands in. It takes nothing from what they may decide. */
  readonly away: Away | null;
};

/** Who could approve something at this moment, and whether they are enough. */
export type WhoCould = {
  /** At most fifty, by name. */
  readonly people: readonly Person[];
  readonly count: number;
  /** Why nobody can approve it as things stand, and who can change that; null where enough people could. */
  readonly nobody: string | null;
};

const MOST_PEOPLE = 50;
const MOST_PENDING = 200;

// Active is who has a way in: neither disabled nor still without a password. A decision that was given counts for as
// long as who gave it could still give it.
const WHO = `SELECT a.id, a.required_role, a.required_people,
    count(m.id) FILTER (WHERE d.decision IS NULL)::int AS count,
    count(m.id) FILTER (WHERE d.decision = 'approve')::int AS given,
    COALESCE(jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'role', m.role) ORDER BY m.name, m.id)
      FILTER (WHERE m.id IS NOT NULL AND d.decision IS NULL), '[]') AS people
  FROM approval a
  JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
  JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
  LEFT JOIN member m ON m.org_id = a.org_id AND m.disabled_at IS NULL AND m.password_hash IS NOT NULL
    AND ${decides("a.required_role")}
    AND (m.id <> ALL (${REQUESTERS}) OR ${decidesOwnSql("a.required_people")})
  LEFT JOIN decision d ON d.org_id = a.org_id AND d.approval_id = a.id AND d.member_id = m.id
  WHERE a.org_id = app.org_id() AND a.status = 'pending'`;
const GROUPED = " GROUP BY a.id, a.required_role, a.required_people";

/** Who could approve each of these approvals now. Only those that wait are in the answer. */
export async function whoCouldApprove(q: OrgSql, ids: readonly string[]): Promise<ReadonlyMap<string, WhoCould>> {
  if (ids.length === 0) return new Map();
  return new Map((await readWho(q, ids)).map((row) => [row.id, toWhoCould(row)]));
}

/** Everybody who could approve it now, however many they are; nobody once it waits no longer. */
export async function everybodyWhoCould(q: OrgSql, id: string): Promise<readonly Person[]> {
  return (await readWho(q, [id]))[0]?.people ?? [];
}

async function readWho(q: OrgSql, ids: readonly string[]) {
  const { rows } = await q.query(`${WHO} AND a.id = ANY ($1)${GROUPED}`, [ids]);
  const away = rows.length === 0 ? NOBODY_AWAY : await awayNow(q);
  return z
    .array(rowSchema)
    .parse(rows)
    .map((row) => ({
      ...row,
      people: row.people.map((person): Person => ({ ...person, away: away.get(person.id) ?? null })),
    }));
}

const NOBODY_AWAY: ReadonlyMap<string, Away> = new Map();

type Row = Awaited<ReturnType<typeof readWho>>[number];

function toWhoCould(row: Row): WhoCould {
  return { people: row.people.slice(0, MOST_PEOPLE), count: row.count, nobody: nobodyOf(row) };
}

function nobodyOf({ count, given, required_people: needed, required_role: role }: Row) {
  const able = count + given;
  if (able >= needed) return null;
  const whom = role === "owner" ? "the role owner" : `the role ${role} or above`;
  const change = "Whoever is given the right now decides only what is asked from then on: withdraw it and ask again.";
  if (able === 0) return `Nobody can approve this: it takes somebody with ${whom} who did not ask. ${change}`;
  return `Nobody can complete this: it takes ${needed} people with ${whom} who did not ask, and there is ${able}. ${change}`;
}

/** How many of the oldest requests that wait nobody can approve as things stand. */
export async function countNobodyCan(q: OrgSql): Promise<number> {
  const { rows } = await q.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${WHO} AND a.id IN
       (SELECT p.id FROM approval p WHERE p.org_id = app.org_id() AND p.status = 'pending' ORDER BY p.id LIMIT ${MOST_PENDING})
     ${GROUPED}) w WHERE w.count + w.given < w.required_people`,
  );
  return rows[0]?.count ?? 0;
}
