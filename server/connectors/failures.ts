import type { Outcome } from "@/server/domain/outcome";

/** Why a call did not get through, in words for people. No word from the other side is among them. */
const FAILURES = {
  action_unknown: "No connector performs this action.",
  arguments_invalid: "The arguments are not what the action expects.",
  not_allowed: "The grant's allow-list does not cover this call.",
  connection_malformed: "The connection's settings are malformed.",
  credential_malformed: "The connection's credential is missing or of the wrong kind.",
  cleartext_refused: "What this call sends may travel in the clear only to a host that the operator allowed.",
  header_reserved: "The arguments set the header that carries the connection's credential.",
  address_refused: "The host has an address that connections may not reach.",
  name_not_found: "The host's name does not exist.",
  name_lookup_failed: "The host's name could not be looked up.",
  connect_failed: "The host could not be reached.",
  tls_failed: "The host did not prove who it is, or offers no encryption that is safe.",
  tls_missing: "The server offers no encryption, and the connection asks for it.",
  timeout: "The call took too long.",
  aborted: "The call was stopped.",
  connection_lost: "The connection broke before the answer was complete.",
  response_malformed: "The answer could not be read.",
  redirect_refused: "The answer leads to a place that this call may not go.",
  too_many_redirects: "The answer leads on too many times.",
  login_refused: "The server refused the connection's user or password.",
  sender_refused: "The server refused the sender.",
  recipients_refused: "The server refused every recipient.",
  message_refused: "The server refused the message.",
  connector_broke: "The connector failed in a way nobody foresaw.",
} as const satisfies Record<string, string>;

export type FailureCode = keyof typeof FAILURES;

/** Nothing happened outside. `detail` is a field, a rule or a number. */
export const failed = (code: FailureCode, detail?: string): Outcome => ({
  kind: "failed",
  code,
  message: detail ? `${FAILURES[code]} (${detail})` : FAILURES[code],
});

/** It may have happened; a person has to look. */
export const outcomeUnknown = (code: FailureCode): Outcome => ({
  kind: "outcome_unknown",
  code,
  message: `${FAILURES[code]} Whether it took effect is not known.`,
});
