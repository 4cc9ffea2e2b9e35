import type { Permission } from "@/server/domain/permission";
import type { Role } from "@/server/domain/roles";

/** Who makes a call, as read from the database for this call. */
export type MemberActor = {
  readonly kind: "member";
  readonly orgId: string;
  readonly memberId: string;
  readonly name: string;
  readonly role: Role;
  readonly via: "sign_in" | "token" | "slack";
  /** The sign-in, the personal token or the linked person of a Slack workspace that was presented. */
  readonly credentialId: string;
  readonly permissions: ReadonlySet<Permission>;
};

export type AgentActor = {
  readonly kind: "agent";
  readonly orgId: string;
  readonly agentId: string;
  readonly name: string;
  readonly ownerId: string;
  /** The member who issued the key in use. */
  readonly issuedBy: string;
  readonly credentialId: string;
  readonly permissions: ReadonlySet<Permission>;
};

/** Durable work acting for the product itself, within one organization. */
export type SystemActor = {
  readonly kind: "system";
  readonly orgId: string;
  readonly job: string;
  readonly permissions: ReadonlySet<Permission>;
};

export type Actor = MemberActor | AgentActor | SystemActor;
