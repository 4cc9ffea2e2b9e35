import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { roleSchema } from "@/server/domain/roles";
import { absenceSchema, readAbsences } from "@/server/services/absences/absence-view";
import { command } from "@/server/services/command";

/** Who is out or will be, and who stands in. */
export const listAbsences = command({
  name: "absence.list",
  callers: ["member"],
  permission: "member:read",
  input: z.strictObject({}),
  run: (actor) => withOrgSql(actor.orgId, async (q) => ({ items: await readAbsences(q) })),
});

const candidateSchema = z.strictObject({ id: z.string(), name: z.string(), role: roleSchema });
const MOST = 200;

/** One's own absence, where there is one, and who could stand in for one. */
export const getOwnAbsence = command({
  name: "absence.get_own",
  callers: ["member"],
  permission: "self:read",
  input: z.strictObject({}),
  run: (actor) =>
    withOrgSql(actor.orgId, async (q) => ({
      absence: (await readAbsences(q, actor.memberId))[0] ?? null,
      candidates: await readCandidates(q, actor.memberId),
    })),
});

async function readCandidates(q: OrgSql, memberId: string) {
  const { rows } = await q.query(
    `SELECT d.id, d.name, d.role FROM member m JOIN member d ON d.org_id = m.org_id AND app.equals_power(m, d)
     WHERE m.org_id = app.org_id() AND m.id = $1 ORDER BY d.name, d.id LIMIT ${MOST}`,
    [memberId],
  );
  return z.array(candidateSchema).parse(rows);
}

/** The answer, as OpenAPI describes it. */
export const ownAbsenceSchema = z.strictObject({
  absence: absenceSchema.nullable(),
  candidates: z.array(candidateSchema).describe("Who may decide at least as much as you and so could stand in."),
});
