import { randomBytes } from "node:crypto";
import { newId } from "@/server/db/new-id";
import { requestDigest } from "@/server/domain/digest";
import type { Facts, GrantFact } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import { toolHash } from "@/server/services/gateway/prepare-call";

/** Random bytes that keep a digest from being guessed. */
export const NONCE_BYTES = 16;

/** A request that is about to get a row: its id and the nonce that keeps its digest from being guessed. */
export type Draft = { readonly id: string; readonly nonce: Buffer };

export const newDraft = (): Draft => ({ id: newId("toolRequest"), nonce: randomBytes(NONCE_BYTES) });

export type DigestInput = {
  readonly orgId: string;
  readonly draft: Draft;
  readonly agentId: string;
  readonly facts: Pick<Facts, "connection" | "session">;
  readonly grant: GrantFact;
  readonly call: ToolCall;
};

/** The digest of a request as the facts stand: another configuration, grant version or tool definition gives another. */
export function digestOf({ orgId, draft, agentId, facts, grant, call }: DigestInput): string {
  if (facts.connection === null) throw new Error("a request without a connection has no digest");
  return requestDigest({
    organization: orgId,
    request: draft.id,
    nonce: draft.nonce.toString("hex"),
    agent: agentId,
    actingFor: null,
    session: facts.session.id,
    connection: facts.connection.id,
    connectionConfigVersion: facts.connection.configVersion,
    connectionAccount: facts.connection.account,
    grant: grant.id,
    grantVersion: grant.version,
    toolHash: toolHash(call.action).toString("hex"),
    action: call.action.name,
    arguments: call.json,
  });
}
