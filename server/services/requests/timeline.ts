import type { OrgTx } from "@/server/db/with-org";

/** One thing the log says of a request: what, when, who, and the metadata of its type. */
export type TimelineEntry = {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  /** The member or agent that acted, by name where it is known; the job's name for the product itself. */
  readonly actor: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

const MAX_ENTRIES = 200;

type Canonical = {
  readonly at?: unknown;
  readonly fields?: unknown;
  readonly actor?: { readonly kind?: unknown; readonly job?: unknown };
};

/** The audit entries of one request, oldest first. */
export async function readTimeline(tx: OrgTx, requestId: string): Promise<TimelineEntry[]> {
  const rows = await tx.auditEvent.findMany({
    where: { orgId: tx.orgId, requestId },
    orderBy: { id: "asc" },
    take: MAX_ENTRIES,
  });
  const names = await namesOf(
    tx,
    rows.flatMap((row) => row.actorId ?? []),
  );
  return rows.map((row) => {
    const canonical = JSON.parse(Buffer.from(row.canonical).toString("utf8")) as Canonical;
    const fields = typeof canonical.fields === "object" && canonical.fields !== null ? canonical.fields : {};
    return {
      id: row.id,
      type: row.type,
      at: typeof canonical.at === "string" ? canonical.at : row.createdAt.toISOString(),
      actor: names.get(row.actorId ?? "") ?? "Countersign",
      fields: fields as Record<string, unknown>,
    };
  });
}

async function namesOf(tx: OrgTx, ids: readonly string[]): Promise<Map<string, string>> {
  const unique = [...new Set(ids)];
  const where = { id: { in: unique } };
  const members = await tx.member.findMany({ where, select: { id: true, name: true } });
  const agents = await tx.agent.findMany({ where, select: { id: true, name: true } });
  return new Map([...members, ...agents].map(({ id, name }) => [id, name]));
}
