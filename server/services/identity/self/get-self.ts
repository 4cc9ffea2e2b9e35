import { z } from "zod";
import { PERMISSIONS } from "@/server/domain/permission";
import { roleSchema } from "@/server/domain/roles";
import { command } from "@/server/services/command";

/** Who the presented credential stands for, and what it may do. */
export const getSelf = command({
  name: "self.get",
  callers: ["member", "agent"],
  permission: "self:read",
  input: z.strictObject({}),
  run: async (actor) => {
    const permissions = PERMISSIONS.filter((permission) => actor.permissions.has(permission));
    const { orgId: organizationId, name, credentialId } = actor;
    if (actor.kind === "agent")
      return { kind: actor.kind, id: actor.agentId, name, organizationId, credentialId, permissions };
    return {
      kind: actor.kind,
      id: actor.memberId,
      name,
      organizationId,
      credentialId,
      permissions,
      role: actor.role,
      via: actor.via,
    };
  },
});

const common = {
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  credentialId: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
};

/** The answer, as OpenAPI describes it. */
export const selfSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("agent"), ...common }),
  z.strictObject({ kind: z.literal("member"), ...common, role: roleSchema, via: z.enum(["sign_in", "token"]) }),
]);
