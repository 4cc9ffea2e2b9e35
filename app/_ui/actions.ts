import { api, attempt, type Inputs } from "./api";
import type { Outcome } from "./outcome";

/**
 * Everything that a person can do in the web app, one function each. What a form holds is judged by the schema of the
 * procedure, on the server, and its complaint comes back to the field: hence the bare objects here.
 */
type Fields = object;

export const decide = (input: Inputs["approvals"]["decide"]) => attempt(api.approvals.decide.mutate(input));
export const editAndApprove = (input: Inputs["approvals"]["edit"]) => attempt(api.approvals.edit.mutate(input));
export const decideMany = (input: Inputs["approvals"]["decideMany"]) => attempt(api.approvals.decideMany.mutate(input));

export const noteOpening = (id: string) => attempt(api.approvals.open.mutate({ id }));

export const changeApproverSafety = (input: Inputs["approverSafety"]["change"]) =>
  attempt(api.approverSafety.change.mutate(input));

export const cancelRequest = (id: string) => attempt(api.toolRequests.cancel.mutate({ id }));
export const resolveRequest = (input: Inputs["toolRequests"]["resolve"]) =>
  attempt(api.toolRequests.resolve.mutate(input));
export const takeUpProposal = (id: string) => attempt(api.toolRequests.takeUp.mutate({ id }));

export const createAgent = (fields: Fields) => attempt(api.agents.create.mutate(fields as Inputs["agents"]["create"]));
export const changeAgent = (id: string, fields: Fields) =>
  attempt(api.agents.change.mutate({ id, ...fields } as Inputs["agents"]["change"]));
export const pauseAgent = (id: string, reason: string) => attempt(api.agents.pause.mutate({ id, reason }));
export const resumeAgent = (id: string, reason: string) => attempt(api.agents.resume.mutate({ id, reason }));
export const issueKey = (id: string, fields: Fields) => attempt(api.agents.issueKey.mutate({ id, ...fields }));
export const revokeKey = (id: string, keyId: string) => attempt(api.agents.revokeKey.mutate({ id, keyId }));

export const createGrant = (fields: Fields) => attempt(api.grants.create.mutate(fields as Inputs["grants"]["create"]));
export const changeGrant = (id: string, fields: Fields) =>
  attempt(api.grants.change.mutate({ id, ...fields } as Inputs["grants"]["change"]));
export const revokeGrant = (id: string) => attempt(api.grants.revoke.mutate({ id }));

export const createRule = (fields: Fields) => attempt(api.rules.create.mutate(fields as Inputs["rules"]["create"]));
export const changeRule = (id: string, fields: Fields) =>
  attempt(api.rules.change.mutate({ id, ...fields } as Inputs["rules"]["change"]));
export const replayRules = (fields: Fields) => attempt(api.rules.replay.mutate(fields as Inputs["rules"]["replay"]));

export const restoreRules = (input: Inputs["rules"]["restoreSet"]) => attempt(api.rules.restoreSet.mutate(input));

export const createBudget = (fields: Fields) =>
  attempt(api.budgets.create.mutate(fields as Inputs["budgets"]["create"]));
export const changeBudget = (input: Inputs["budgets"]["change"]) => attempt(api.budgets.change.mutate(input));

export const createConnection = (fields: Fields) =>
  attempt(api.connections.create.mutate(fields as Inputs["connections"]["create"]));
export const changeConnection = (id: string, fields: Fields) =>
  attempt(api.connections.change.mutate({ id, ...fields } as Inputs["connections"]["change"]));
export const setCredential = (id: string, fields: Fields) =>
  attempt(api.connections.setCredential.mutate({ id, ...fields } as Inputs["connections"]["setCredential"]));

export const trustDestination = (fields: Fields) =>
  attempt(api.destinations.trust.mutate(fields as Inputs["destinations"]["trust"]));
export const untrustDestination = (id: string) => attempt(api.destinations.untrust.mutate({ id }));

export const activateKillSwitch = (input: Inputs["controls"]["activate"]) =>
  attempt(api.controls.activate.mutate(input));
export const releaseKillSwitch = (input: Inputs["controls"]["release"]) => attempt(api.controls.release.mutate(input));
export const setReadOnly = (input: Inputs["controls"]["setReadOnly"]) =>
  attempt(api.controls.setReadOnly.mutate(input));
export const switchAction = (input: Inputs["controls"]["switchAction"]) =>
  attempt(api.controls.switchAction.mutate(input));

export const verifyAudit = () => attempt(api.audit.verify.query({}));

export const inviteMember = (fields: Fields) =>
  attempt(api.members.create.mutate(fields as Inputs["members"]["create"]));
export const changeMember = (id: string, fields: Fields) =>
  attempt(api.members.change.mutate({ id, ...fields } as Inputs["members"]["change"]));
export const linkMember = (id: string) => attempt(api.members.link.mutate({ id }));

export const giveRight = (fields: Fields) =>
  attempt(api.approvalRights.give.mutate(fields as Inputs["approvalRights"]["give"]));
export const setAbsence = (fields: Fields) => attempt(api.absences.set.mutate(fields as Inputs["absences"]["set"]));
export const setAbsenceFor = (fields: Fields) =>
  attempt(api.absences.setFor.mutate(fields as Inputs["absences"]["setFor"]));
export const endAbsence = () => attempt(api.absences.end.mutate({}));
export const endAbsenceFor = (id: string) => attempt(api.absences.endFor.mutate({ id }));
export const withdrawRight = (id: string) => attempt(api.approvalRights.withdraw.mutate({ id }));

export const createToken = (fields: Fields) => attempt(api.tokens.create.mutate(fields as Inputs["tokens"]["create"]));
export const revokeToken = (id: string) => attempt(api.tokens.revoke.mutate({ id }));
export const revokeSignIn = (id: string) => attempt(api.me.revokeSignIn.mutate({ id }));
export const revokeOtherSignIns = () => attempt(api.me.revokeOtherSignIns.mutate({}));
export const changePassword = (input: Inputs["me"]["changePassword"]) => attempt(api.me.changePassword.mutate(input));
export const changeMails = (input: Inputs["me"]["changeMails"]) => attempt(api.me.changeMails.mutate(input));
export const changeOrganization = (fields: Fields) =>
  attempt(api.organization.change.mutate(fields as Inputs["organization"]["change"]));

export const startSlackInstall = () => attempt(api.slack.startInstall.mutate({}));
export const connectSlack = (input: Inputs["slack"]["connect"]) => attempt(api.slack.connect.mutate(input));
export const chooseSlackChannel = (input: Inputs["slack"]["chooseChannel"]) =>
  attempt(api.slack.chooseChannel.mutate(input));
export const chooseAlertsChannel = (input: Inputs["slack"]["chooseAlertsChannel"]) =>
  attempt(api.slack.chooseAlertsChannel.mutate(input));
export const checkSlack = (teamId: string) => attempt(api.slack.check.mutate({ teamId }));
export const disconnectSlack = (teamId: string) => attempt(api.slack.disconnect.mutate({ teamId }));
export const changeSlackPhrase = (input: Inputs["slack"]["changePhrase"]) =>
  attempt(api.slack.changePhrase.mutate(input));
export const startSlackLink = (password: string) => attempt(api.slack.startLink.mutate({ password }));
export const unlinkSlackSelf = (teamId: string) => attempt(api.slack.unlinkSelf.mutate({ teamId }));
export const unlinkSlackPerson = (teamId: string, memberId: string) =>
  attempt(api.slack.unlink.mutate({ teamId, memberId }));

/** A refusal that is found before the server is asked. */
export const refuse = (field: string, message: string): Promise<Outcome<never>> =>
  Promise.resolve({ ok: false, code: "invalid", field, message });
