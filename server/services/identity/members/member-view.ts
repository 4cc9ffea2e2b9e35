import { z } from "zod";
import { type Role, roleSchema } from "@/server/domain/roles";

/** The columns of a member that are shown, for a query over `member`. */
export const MEMBER_COLUMNS = `id, email, name, role, disabled_at, password_hash IS NOT NULL AS has_password,
  COALESCE(locked_until > clock_timestamp(), false) AS is_locked, version, created_at`;

export type MemberRow = {
  id: string;
  email: string;
  name: string;
  role: string;
  disabled_at: Date | null;
  has_password: boolean;
  is_locked: boolean;
  version: number;
  created_at: Date;
};

export type MemberView = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly isDisabled: boolean;
  /** Invited and not yet here. */
  readonly isInvited: boolean;
  readonly isLocked: boolean;
  readonly version: number;
  readonly createdAt: Date;
};

export function memberView(row: MemberRow): MemberView {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: roleSchema.parse(row.role),
    isDisabled: row.disabled_at !== null,
    isInvited: !row.has_password,
    isLocked: row.is_locked,
    version: row.version,
    createdAt: row.created_at,
  };
}

/** A member as OpenAPI describes it. */
export const memberSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  isDisabled: z.boolean(),
  isInvited: z.boolean(),
  isLocked: z.boolean(),
  version: z.int(),
  createdAt: z.iso.datetime(),
});
