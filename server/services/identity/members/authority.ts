import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { permissionsOfRole, scopeOf } from "@/server/domain/permission";
import type { Role } from "@/server/domain/roles";

const RESERVED: ReadonlySet<Role> = new Set(["owner", "admin"]);

/** Owners and admins are made, changed and given links by owners alone. Throws AppError `owner_only`. */
export function requireAuthorityOver(actor: MemberActor, role: Role): void {
  if (!RESERVED.has(role) || actor.role === "owner") return;
  throw new AppError("forbidden", "Only an owner may do this to an owner or an admin.", { reason: "owner_only" });
}

/**
 * Nobody hands out what the credential in use may not do itself: a token that may not decide makes no approver.
 * Throws AppError `owner_only`, `beyond_own_permissions`.
 */
export function requireMayGive(actor: MemberActor, role: Role): void {
  requireAuthorityOver(actor, role);
  const given = [...permissionsOfRole(role)].filter((permission) => !["read", undefined].includes(scopeOf(permission)));
  if (given.every((permission) => actor.permissions.has(permission))) return;
  throw new AppError("forbidden", `This credential may not give the role ${role}: it does not hold all of it.`, {
    reason: "beyond_own_permissions",
  });
}
