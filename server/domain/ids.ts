import { z } from "zod";

const PREFIXES = {
  organization: "org",
  department: "dep",
  member: "mem",
  signIn: "sgn",
  setupLink: "lnk",
  personalToken: "pat",
  agent: "agt",
  agentKey: "key",
  connection: "con",
  credential: "crd",
  trustedDestination: "tru",
  grant: "grt",
  rule: "rul",
  session: "ses",
  task: "tsk",
  toolRequest: "req",
  approval: "apr",
  decision: "dcn",
  approvalRight: "rgt",
  absence: "abs",
  budget: "bud",
  reservation: "rsv",
  auditEvent: "aud",
} as const;

export type IdKind = keyof typeof PREFIXES;

/** A schema for ids of one kind: the prefix, an underscore, a ULID in Crockford's base 32. */
export function idOf(kind: IdKind) {
  return z
    .string()
    .regex(new RegExp(`^${PREFIXES[kind]}_[0-9A-HJKMNP-TV-Z]{26}$`), `must look like ${PREFIXES[kind]}_…`);
}

export function prefixOf(kind: IdKind): string {
  return PREFIXES[kind];
}
