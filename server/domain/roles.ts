import { z } from "zod";

/** What a person is in an organization. Order is by authority, strongest first. */
export const ROLES = ["owner", "admin", "approver", "member", "auditor"] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** Roles that a rule may ask an approver to have. `owner` satisfies `admin`, both satisfy `approver`. */
export const APPROVER_ROLES = ["approver", "admin", "owner"] as const;
export const approverRoleSchema = z.enum(APPROVER_ROLES);
export type ApproverRole = z.infer<typeof approverRoleSchema>;

/** Whether `role` carries the authority that `required` asks for. Members and auditors never decide. */
export function satisfiesRole(role: Role, required: ApproverRole): boolean {
  const rank = (r: string) => (APPROVER_ROLES as readonly string[]).indexOf(r);
  return rank(role) >= 0 && rank(role) >= rank(required);
}
