import { APPROVER_ROLES, type ApproverRole, type Role } from "@/server/domain/roles";

type Person = { readonly role: Role };

/** The stage that a person belongs to; who decides by a right decides as an approver does. */
const stageOf = ({ role }: Person): ApproverRole => (role === "admin" || role === "owner" ? role : "approver");

/** Of those who could decide, the ones of this stage alone. */
export const ofStage = <P extends Person>(people: readonly P[], stage: ApproverRole): P[] =>
  people.filter((person) => stageOf(person) === stage);

/** Of those who could decide, the ones up to this stage; all where there are none, so that somebody is called. */
export function upToStage<P extends Person>(people: readonly P[], stage: ApproverRole): readonly P[] {
  const rank = (one: ApproverRole) => APPROVER_ROLES.indexOf(one);
  const called = people.filter((person) => rank(stageOf(person)) <= rank(stage));
  return called.length === 0 ? people : called;
}

/** The next stage in which somebody could decide; the last where nobody can, and null after it. */
export function nextStage(people: readonly Person[], stage: ApproverRole): Exclude<ApproverRole, "approver"> | null {
  if (stage === "owner") return null;
  return stage === "approver" && ofStage(people, "admin").length > 0 ? "admin" : "owner";
}
