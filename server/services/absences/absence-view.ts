import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";

const named = z.strictObject({ id: z.string(), name: z.string() });

const rowSchema = z.object({
  id: z.string(),
  member: named,
  delegate: named,
  isStandingIn: z.boolean(),
  isOut: z.boolean(),
  from: z.date(),
  until: z.date(),
  setBy: named,
});

/** An absence that is not over. `isOut` once it has begun. */
export type AbsenceView = Readonly<z.output<typeof rowSchema>>;

const MOST = 200;

const ABSENCES = `SELECT x.id, jsonb_build_object('id', m.id, 'name', m.name) AS member, jsonb_build_object('id', d.id, 'name', d.name) AS delegate,
    app.equals_power(m, d) AS "isStandingIn", x.starts_at <= clock_timestamp() AS "isOut", x.starts_at AS "from", x.ends_at AS until,
    jsonb_build_object('id', s.id, 'name', s.name) AS "setBy"
  FROM absence x
  JOIN member m ON m.org_id = x.org_id AND m.id = x.member_id
  JOIN member d ON d.org_id = x.org_id AND d.id = x.delegate_id
  JOIN member s ON s.org_id = x.org_id AND s.id = x.set_by
  WHERE x.org_id = app.org_id() AND x.ended_at IS NULL AND x.ends_at > clock_timestamp()
    AND ($1::text IS NULL OR x.member_id = $1)
  ORDER BY x.starts_at, x.id LIMIT ${MOST}`;

/** The absences that are not over, the first to begin first; of one member where one is named. At most two hundred. */
export async function readAbsences(q: OrgSql, memberId: string | null = null): Promise<AbsenceView[]> {
  const { rows } = await q.query(ABSENCES, [memberId]);
  return z.array(rowSchema).parse(rows);
}

/** An absence as OpenAPI describes it. */
export const absenceSchema = z.strictObject({
  ...rowSchema.shape,
  isStandingIn: z.boolean().describe("Whether the delegate may still decide all that the member may."),
  isOut: z.boolean().describe("Whether it has begun."),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
});
