import { z } from "zod";
import { type Autonomy, autonomySchema } from "@/server/domain/facts";

/** The columns of an agent that its readers see. */
export const agentColumns = {
  id: true,
  name: true,
  ownerId: true,
  owner: { select: { name: true } },
  departmentId: true,
  department: { select: { name: true } },
  autonomy: true,
  readOnly: true,
  pausedAt: true,
  pausedBy: true,
  pausedFor: true,
  pendingLimit: true,
  version: true,
  createdAt: true,
} as const;

type AgentRow = Omit<AgentView, "ownerName" | "department" | "autonomy" | "pausedFor"> & {
  readonly autonomy: string;
  readonly pausedFor: string | null;
  readonly owner: { readonly name: string };
  readonly department: { readonly name: string } | null;
};

export type AgentView = {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly departmentId: string | null;
  readonly department: string | null;
  readonly autonomy: Autonomy;
  /** Its effects are kept as proposals. */
  readonly readOnly: boolean;
  /** Set while it is paused. */
  readonly pausedAt: Date | null;
  readonly pausedBy: string | null;
  /** Why, where nobody decided about the agent itself: it ends when its owner is enabled again. */
  readonly pausedFor: "owner_disabled" | null;
  /** Requests of it that may wait for a person. */
  readonly pendingLimit: number;
  readonly version: number;
  readonly createdAt: Date;
};

/** An agent by itself. */
export type AgentDetailView = AgentView & {
  /** Why a person paused it or let it go on last. */
  readonly pauseNote: string | null;
};

export function agentView({ owner, department, autonomy, pausedFor, ...row }: AgentRow): AgentView {
  return {
    ...row,
    ownerName: owner.name,
    department: department?.name ?? null,
    // Check constraints hold these columns to these words.
    autonomy: autonomy as Autonomy,
    pausedFor: pausedFor as AgentView["pausedFor"],
  };
}

/** An agent as OpenAPI describes it. */
export const agentSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  departmentId: z.string().nullable(),
  department: z.string().nullable(),
  autonomy: autonomySchema,
  readOnly: z.boolean(),
  pausedAt: z.iso.datetime().nullable(),
  pausedBy: z.string().nullable(),
  pausedFor: z.literal("owner_disabled").nullable().describe("Ends when the owner is enabled again."),
  pendingLimit: z.int(),
  version: z.int(),
  createdAt: z.iso.datetime(),
});
export const agentDetailSchema = agentSchema.extend({
  pauseNote: z.string().nullable().describe("Why a person paused it or let it go on last."),
});
