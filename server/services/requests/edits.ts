import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import { type Change, changesBetween } from "@/server/domain/edit";
import { isJsonObject, type JsonObject } from "@/server/domain/json";
import { openJson } from "@/server/services/gateway/content";

const bytes = z.instanceof(Buffer);
const rowSchema = z.object({ request_id: z.string(), name: z.string(), edited_at: z.date(), sealed_arguments: bytes });

/** An edit as its row holds it: who, when, and the version that it replaced, sealed. */
export type StoredEdit = z.output<typeof rowSchema>;

/** What an approver changed of a request. `changes` is null for who may not see content. */
export type EditView = { readonly by: string; readonly at: Date; readonly changes: readonly Change[] | null };

/** The edits of these requests, oldest first. */
export async function readEdits(q: OrgSql, requestIds: readonly string[]): Promise<StoredEdit[]> {
  const { rows } = await q.query(
    `SELECT e.request_id, m.name, e.edited_at, e.sealed_arguments FROM request_edit e
     JOIN member m ON m.org_id = e.org_id AND m.id = e.member_id
     WHERE e.org_id = app.org_id() AND e.request_id = ANY ($1) ORDER BY e.edited_at, e.approval_id`,
    [requestIds],
  );
  return z.array(rowSchema).parse(rows);
}

/** Each edit with what it changed: against the version that the next one replaced, the last against the present one. */
export async function openEdits(
  orgId: string,
  requestId: string,
  edits: readonly StoredEdit[],
  present: Uint8Array | null,
): Promise<EditView[]> {
  if (edits.length === 0) return [];
  const sealed = [...edits.map((edit) => edit.sealed_arguments), present];
  const versions = await Promise.all(sealed.map((version) => openVersion(orgId, requestId, version)));
  return edits.map((edit, index) => ({
    by: edit.name,
    at: edit.edited_at,
    changes: changesBetween(versions[index] ?? {}, versions[index + 1] ?? {}),
  }));
}

/** The same for who may know that something was edited, and not what. */
export const withheldEdits = (edits: readonly StoredEdit[]): EditView[] =>
  edits.map(({ name, edited_at }) => ({ by: name, at: edited_at, changes: null }));

async function openVersion(orgId: string, requestId: string, sealed: Uint8Array | null): Promise<JsonObject> {
  if (sealed === null) return {};
  const opened = await openJson(orgId, requestId, "arguments", sealed);
  if (!isJsonObject(opened)) throw new Error("stored arguments are an object");
  return opened;
}
