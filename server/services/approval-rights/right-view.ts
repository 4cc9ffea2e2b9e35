import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import { riskSchema } from "@/server/domain/action";

const named = z.object({ id: z.string(), name: z.string() });

const rowSchema = z.object({
  id: z.string(),
  member: named,
  maxRisk: riskSchema,
  departments: z.array(named).nullable(),
  actions: z.array(z.string()).nullable(),
  connections: z.array(named).nullable(),
  givenBy: named,
  givenAt: z.date(),
});

/** A right to approve that holds. A list that is null limits nothing. */
export type RightView = Readonly<z.output<typeof rowSchema>>;

const MOST = 200;

const RIGHTS = `SELECT x.id, jsonb_build_object('id', m.id, 'name', m.name) AS member, x.max_risk AS "maxRisk", x.actions,
    CASE WHEN x.departments IS NOT NULL THEN (SELECT jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) ORDER BY d.name)
      FROM department d WHERE d.org_id = x.org_id AND d.id = ANY (x.departments)) END AS departments,
    CASE WHEN x.connections IS NOT NULL THEN (SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) ORDER BY c.name)
      FROM connection c WHERE c.org_id = x.org_id AND c.id = ANY (x.connections)) END AS connections,
    jsonb_build_object('id', b.id, 'name', b.name) AS "givenBy", x.given_at AS "givenAt"
  FROM approval_right x
  JOIN member m ON m.org_id = x.org_id AND m.id = x.member_id
  JOIN member b ON b.org_id = x.org_id AND b.id = x.given_by
  WHERE x.org_id = app.org_id() AND x.withdrawn_at IS NULL`;

/** The rights that hold, newest first, at most two hundred. */
export async function readRights(q: OrgSql): Promise<RightView[]> {
  const { rows } = await q.query(`${RIGHTS} ORDER BY x.id DESC LIMIT ${MOST}`);
  return z.array(rowSchema).parse(rows);
}

/** One right that holds, or null. */
export async function readRight(q: OrgSql, id: string): Promise<RightView | null> {
  const { rows } = await q.query(`${RIGHTS} AND x.id = $1`, [id]);
  return z.array(rowSchema).parse(rows)[0] ?? null;
}

/** A right as OpenAPI describes it. */
export const rightSchema = z.strictObject({
  ...rowSchema.shape,
  departments: rowSchema.shape.departments.describe("Null limits nothing."),
  givenAt: z.iso.datetime(),
});
