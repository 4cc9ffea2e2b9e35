import { act } from "./act";
import type { Outcome } from "./outcome";

/** Everything that a person can do in the web app, one function each. */

export type Decision = { decision: "approve" | "reject"; digest: string; reason?: string };

export const decide = (id: string, input: Decision) =>
  act<{ status: string; remaining: number }>("POST", `/approvals/${id}/decision`, input);

export const cancelRequest = (id: string) => act("POST", `/tool-requests/${id}/cancel`);
export const resolveRequest = (id: string, outcome: "done" | "not_done", reason: string) =>
  act("POST", `/tool-requests/${id}/resolve`, { outcome, reason });
export const takeUp = (id: string) => act("POST", `/tool-requests/${id}/take-up`);

export const createAgent = (input: object) => act<{ id: string }>("POST", "/agents", input);
export const changeAgent = (id: string, input: object) => act("PATCH", `/agents/${id}`, input);
export const pauseAgent = (id: string) => act("POST", `/agents/${id}/pause`);
export const resumeAgent = (id: string) => act("POST", `/agents/${id}/resume`);
export const issueKey = (id: string, input: object) => act<{ key: string }>("POST", `/agents/${id}/keys`, input);
export const revokeKey = (id: string, keyId: string) => act("POST", `/agents/${id}/keys/${keyId}/revoke`);

export const createGrant = (input: object) => act("POST", "/grants", input);
export const changeGrant = (id: string, input: object) => act("PATCH", `/grants/${id}`, input);
export const revokeGrant = (id: string) => act("POST", `/grants/${id}/revoke`);

export const createRule = (input: object) => act("POST", "/rules", input);
export const changeRule = (id: string, input: object) => act("PATCH", `/rules/${id}`, input);
export const createBudget = (input: object) => act("POST", "/budgets", input);
export const changeBudget = (id: string, input: object) => act("PATCH", `/budgets/${id}`, input);

export const createConnection = (input: object) => act("POST", "/connections", input);
export const changeConnection = (id: string, input: object) => act("PATCH", `/connections/${id}`, input);
export const setCredential = (id: string, input: object) => act("PUT", `/connections/${id}/credential`, input);
export const trustDestination = (input: object) => act("POST", "/trusted-destinations", input);
export const untrustDestination = (id: string) => act("DELETE", `/trusted-destinations/${id}`);

export const activateKillSwitch = (level: "freeze" | "lockdown", reason: string) =>
  act("POST", "/controls/kill-switch", { level, reason });
export const releaseKillSwitch = (version: number, reason: string) =>
  act("POST", "/controls/release", { reason, version });
export const setReadOnly = (enabled: boolean, reason: string) =>
  act("POST", "/controls/read-only", { enabled, reason });
export const switchAction = (action: string, enabled: boolean, reason: string) =>
  act("PUT", `/controls/actions/${encodeURIComponent(action)}`, { enabled, reason });

export const inviteMember = (input: object) => act<{ link: string }>("POST", "/members", input);
export const changeMember = (id: string, input: object) => act("PATCH", `/members/${id}`, input);
export const linkMember = (id: string) => act<{ link: string }>("POST", `/members/${id}/link`);

export const createToken = (input: object) => act<{ token: string }>("POST", "/me/tokens", input);
export const revokeToken = (id: string) => act("POST", `/me/tokens/${id}/revoke`);
export const revokeSignIn = (id: string) => act("POST", `/me/sign-ins/${id}/revoke`);
export const changePassword = (input: object) => act("POST", "/me/password", input);
export const revokeOtherSignIns = () => act("POST", "/me/sign-ins/revoke-others");
export const changeOrganization = (input: object) => act("PATCH", "/organization", input);

export const verifyAudit = () =>
  act<{ intact: boolean; entries: number; firstFault?: { index: number; kind: string } }>("GET", "/audit/verify");

/** A refusal that is found before the server is asked. */
export const refuse = (field: string, message: string): Promise<Outcome<never>> =>
  Promise.resolve({ ok: false, code: "invalid", field, message });
