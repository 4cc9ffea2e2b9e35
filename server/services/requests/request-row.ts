import type { GrantFact } from "@/server/domain/facts";
import type { ShadowMatch } from "@/server/domain/shadow";
import type { ToolCall } from "@/server/domain/tool-request";
import { toolHash } from "@/server/services/gateway/prepare-call";
import type { TakenUp } from "@/server/services/requests/submission";

/** What is known of a request when its row is made; times are the database's. */
export type NewRequest = {
  readonly id: string;
  readonly agentId: string;
  /** The agent's owner at this moment. */
  readonly ownerId: string;
  readonly keyId: string;
  readonly connectionId: string | null;
  readonly sessionId: string;
  readonly grant: GrantFact | null;
  readonly call: ToolCall;
  readonly nonce: Buffer;
  readonly digest: string | null;
  readonly sealedArguments: Buffer | null;
  readonly sealedNote: Buffer | null;
  readonly idempotency: { readonly key: string; readonly hash: string } | null;
  readonly credential: { readonly id: string; readonly version: number } | null;
  readonly takenUp: TakenUp | null;
  readonly compensates: string | null;
  /** What rules in shadow would have done. */
  readonly shadow: readonly ShadowMatch[] | null;
};

const bytes = (value: Buffer | null): string | null => (value === null ? null : `\\x${value.toString("hex")}`);

/** The row in the database's spelling, for `jsonb_populate_record`: one place that names every column. */
export function requestRow(request: NewRequest): Record<string, unknown> {
  const { call, grant } = request;
  const { classification, action } = call;
  return {
    id: request.id,
    agent_id: request.agentId,
    owner_id: request.ownerId,
    agent_key_id: request.keyId,
    taken_up_from_id: request.takenUp?.proposalId ?? null,
    taken_up_by_id: request.takenUp?.by.memberId ?? null,
    compensates_id: request.compensates,
    connection_id: request.connectionId,
    grant_id: grant?.id ?? null,
    grant_version: grant?.version ?? null,
    session_id: request.sessionId,
    action: action.name,
    tool_hash: bytes(toolHash(action)),
    effect: classification.effect,
    risk: classification.risk,
    is_outward: classification.outward,
    is_irreversible: classification.irreversible,
    is_proposal: false,
    sealed_arguments: bytes(request.sealedArguments),
    sealed_note: bytes(request.sealedNote),
    nonce: bytes(request.nonce),
    digest: request.digest === null ? null : `\\x${request.digest}`,
    price_micros: action.price?.micros.toString() ?? null,
    price_currency: action.price?.currency ?? null,
    idempotency_key: request.idempotency?.key ?? null,
    idempotency_hash: request.idempotency === null ? null : `\\x${request.idempotency.hash}`,
    credential_id: request.credential?.id ?? null,
    credential_version: request.credential?.version ?? null,
    shadow_matches: request.shadow,
  };
}

/** Inserts a row made by `requestRow`, with what the caller adds. */
export const INSERT_REQUEST = `INSERT INTO tool_request SELECT r.* FROM jsonb_populate_record(NULL::tool_request,
  $1::jsonb || jsonb_build_object('org_id', app.org_id(), 'version', 1, 'created_at', clock_timestamp(), 'updated_at', clock_timestamp())) r`;
