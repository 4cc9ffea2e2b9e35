import { z } from "zod";

// Only metadata is listed: codes, ids, versions, counts. Arguments, results, notes and reasons are content and have no
// field. What names a person goes under `personal`, as a commitment. A text longer than this is cut before it is checked.
export const MAX_AUDIT_TEXT = 300;
export const MAX_AUDIT_LIST = 50;

const text = z.string().max(MAX_AUDIT_TEXT);
const count = z.int();
const flag = z.boolean();
const list = z.array(text).max(MAX_AUDIT_LIST);

const fields = <S extends z.core.$ZodLooseShape>(shape: S) => z.strictObject(shape);

/** What a call is, as the gateway saw it. `connection` is absent where the agent named one that it may not know of. */
const call = {
  action: text,
  connection: text.optional(),
  compensates: text.optional(),
  effect: text.optional(),
  risk: text.optional(),
};
const grant = { grant: text.optional(), grantVersion: count.optional() };
const price = { priceMicros: text.optional(), currency: text.optional() };
const ended = { ...call, durationMs: count.optional(), ...price };
const approval = { approval: text, action: text.optional() };
const decided = {
  ...approval,
  digest: text,
  remaining: count.optional(),
  via: text.optional(),
  // The one who decided counts as having asked: an owner who is alone, and whom the organization lets.
  ownRequest: flag.optional(),
  // When they first had it before them, the least that reading it takes, and whether the answer came sooner.
  openedAt: text.optional(),
  readingMs: count.optional(),
  tooQuick: flag.optional(),
};
const named = { name: text.optional() };
/** The names of the settings that moved, and short old and new values where these are not content. */
const changed = { changed: list, from: list.optional(), to: list.optional(), version: count.optional() };
const scope = { scope: text, scopeId: text, period: text, currency: text };

/** Each type of audit entry and the only fields it may hold. Every string is cut and masked on its way in. */
export const AUDIT_TYPES = {
  "request.submitted": fields({
    ...call,
    ...grant,
    status: text,
    isOutward: flag.optional(),
    isIrreversible: flag.optional(),
    digest: text.optional(),
    labels: list.optional(),
    task: text.optional(),
    takenUpFrom: text.optional(),
    ...price,
  }),
  "request.denied": fields({ ...call, code: text, check: text, field: text.optional(), proposal: flag.optional() }),
  "request.proposed": fields({ ...call, code: text, check: text.optional() }),
  "proposal.taken_up": fields({ action: text, request: text }),
  "proposal.refused": fields({ action: text, check: text, code: text }),
  "request.pending": fields({ ...call, approval: text, reasons: list }),
  "request.scheduled": fields({ ...call, approval: text.optional(), runsAt: text }),
  "request.started": fields({
    ...call,
    ...grant,
    ...price,
    credentialVersion: count.optional(),
    approval: text.optional(),
    digest: text.optional(),
  }),
  "request.succeeded": fields({ ...ended, resultBytes: count.optional() }),
  "request.failed": fields({ ...ended, code: text }),
  "request.outcome_unknown": fields({ ...ended, code: text }),
  "request.resolved": fields({ action: text, outcome: text }),
  "request.withdrawn": fields({ action: text }),
  "request.cancelled": fields({ action: text }),
  "request.expired": fields({ action: text, approval: text.optional() }),
  "request.blocked": fields({ ...call, code: text, check: text }),
  "request.edited": fields({ action: text, from: text, to: text, changed: list, approval: text }),
  "request.returned": fields({ ...call, why: text, approval: text.optional(), check: text.optional() }),

  "approval.requested": fields({
    ...approval,
    reasons: list,
    digest: text,
    requiredRole: text,
    requiredPeople: count,
    ruleVersion: count.optional(),
    expiresAt: text,
  }),
  "approval.given": fields(decided),
  "approval.approved": fields(decided),
  "approval.rejected": fields(decided),
  "approval.refused": fields({ ...approval, code: text, decision: text.optional() }),
  "approval.voided": fields({ ...approval, why: text }),
  "approval.reminded": fields(approval),
  // `people`: how many of that role could approve it then.
  "approval.escalated": fields({ ...approval, role: text, people: count }),

  "session.labelled": fields({ added: list, labels: list, why: text.optional() }),

  "sign_in.succeeded": fields({ method: text.optional() }),
  "sign_in.failed": fields({ code: text, member: text.optional() }),
  "sign_in.locked": fields({ member: text, until: text, failures: count.optional() }),
  "sign_in.ended": fields({ signIn: text.optional() }),
  "sign_in.revoked": fields({ signIn: text, member: text.optional(), why: text.optional() }),
  "token.created": fields({ token: text, scopes: list, expiresAt: text }),
  "token.revoked": fields({ token: text, member: text.optional() }),
  "member.created": fields({ member: text, role: text }),
  "member.changed": fields({ member: text, ...changed }),
  "member.disabled": fields({ member: text }),
  // A list that limits nothing is empty.
  "approval_right.given": fields({
    right: text,
    member: text,
    maxRisk: text,
    departments: list,
    actions: list,
    connections: list,
  }),
  "approval_right.withdrawn": fields({ right: text, member: text }),
  "absence.set": fields({ absence: text, member: text, delegate: text, from: text, until: text }),
  "absence.ended": fields({ absence: text, member: text }),
  "setup.completed": fields({ member: text }),

  "agent.created": fields({ ...named, owner: text, autonomy: text, department: text.optional() }),
  "agent.changed": fields({ ...named, ...changed }),
  // `why` where it followed from disabling or enabling a member.
  "agent.paused": fields({ ...named, why: text.optional() }),
  "agent.resumed": fields({ ...named, why: text.optional() }),
  "agent_key.issued": fields({ key: text, expiresAt: text, why: text.optional() }),
  "agent_key.revoked": fields({ key: text, why: text.optional() }),
  "department.created": fields({ department: text, ...named }),
  "department.changed": fields({ department: text, ...changed }),

  "connection.created": fields({ connection: text, provider: text, ...named, capabilities: list.optional() }),
  "connection.changed": fields({ connection: text, ...named, ...changed }),
  "credential.stored": fields({ connection: text, version: count, kind: text }),
  "credential.rotated": fields({ connection: text, version: count, kind: text, replaced: text.optional() }),
  "credential.retired": fields({ connection: text, version: count, why: text.optional() }),
  "grant.created": fields({
    grant: text,
    connection: text,
    access: text,
    actions: list,
    maxRisk: text,
    expiresAt: text.optional(),
    version: count.optional(),
  }),
  "grant.changed": fields({ grant: text, connection: text.optional(), ...changed }),
  "grant.revoked": fields({ grant: text, connection: text.optional(), version: count.optional() }),
  "rule.created": fields({ rule: text, ...named, verdict: text, ruleVersion: count, isShadow: flag.optional() }),
  "rule.changed": fields({ rule: text, ...named, ...changed, ruleVersion: count }),
  "rules.restored": fields({ restores: count, ruleVersion: count, added: count, removed: count, changed: count }),
  "rules.replayed": fields({ days: count, rules: count, requests: count, changed: count }),
  "budget.created": fields({ budget: text, ...scope, capMicros: text }),
  "budget.changed": fields({ budget: text, ...scope, capMicros: text, previousCapMicros: text.optional() }),
  // An address is personal: it belongs in `personal.address`, and `value` stays out.
  "destination.trusted": fields({ destination: text, kind: text, value: text.optional() }),
  "destination.untrusted": fields({ destination: text, kind: text, value: text.optional() }),
  "control.activated": fields({ level: text, version: count, returned: count.optional() }),
  "control.released": fields({ level: text.optional(), version: count, returned: count.optional() }),
  "control.changed": fields({ control: text, enabled: flag, subject: text.optional(), version: count }),
  "slack.connected": fields({ team: text, channel: text, isOpenChannel: flag, version: count }),
  "slack.channel_chosen": fields({ team: text, channel: text, isOpenChannel: flag, version: count }),
  "slack.alerts_channel_chosen": fields({ team: text, channel: text, isOpenChannel: flag.optional() }),
  "slack.alerts_problem": fields({ team: text, problem: text }),
  "slack.disconnected": fields({ team: text, why: text }),
  "slack.problem": fields({ team: text, problem: text }),
  "slack.linked": fields({ team: text, member: text }),
  "slack.unlinked": fields({ team: text, member: text }),
  "slack.command_refused": fields({ command: text, code: text }),
  "organization.created": fields(named),
  "organization.changed": fields(changed),
  "approver_safety.changed": fields(changed),

  "calls.refused": fields({ kind: text, count, minute: text, subjects: list }),
  "audit.verified": fields({ intact: flag, entries: count, faultIndex: count.optional(), faultKind: text.optional() }),
  "audit.exported": fields({ format: text, entries: count }),
  "deployment.kill_switch": fields({ level: text, replica: text.optional() }),
} as const;

export type AuditType = keyof typeof AUDIT_TYPES;
