import type { MemberActor } from "@/server/domain/actor";
import { permissionsOfPerson } from "@/server/domain/permission";
import { giveRight } from "@/server/services/approval-rights/give";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { changeMember } from "@/server/services/identity/members/change-member";
import type { Answer } from "@/server/services/requests/answer";
import type { TestOrganization } from "@/test/support/organization";
import { reasonOf } from "./fixture";

/** Giving a member a right to approve, and deciding as somebody, in the organization of the test under way. */
export function rightsOf(org: () => TestOrganization) {
  const admin = () => org().admin.actor;
  /** The member as the door admits them while they hold a right. */
  const holder = (): MemberActor => ({ ...org().member.actor, permissions: permissionsOfPerson("member", true) });
  const give = (scope: object = {}) => giveRight(admin(), { member: org().member.id, maxRisk: "medium", ...scope });
  const decide = async (answer: Answer, actor: MemberActor, decision: "approve" | "reject" = "approve") => {
    const id = answer.approval?.id ?? "";
    const { digest } = await getApproval(org().auditor.actor, { id });
    return decideApproval(actor, { id, decision, digest });
  };
  const whyNot = (answer: Answer, actor: MemberActor, decision?: "reject") => reasonOf(decide(answer, actor, decision));
  const change = (id: string, fields: object) => changeMember(org().owner.actor, { id, ...fields });
  return { admin, holder, give, decide, whyNot, change };
}
