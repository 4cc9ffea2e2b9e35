import { z } from "zod";

/** Micro-units as decimal text: a cap of 12.50 is `12500000`. */
export const capSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,17})$/, "must be whole micro-units in decimal, such as 12500000 for 12.50")
  .transform((text) => BigInt(text));

const BUDGET_SCOPES = ["request", "agent", "department", "organization"] as const;
const BUDGET_PERIODS = ["request", "day", "month"] as const;

export const budgetColumns = {
  id: true,
  scope: true,
  scopeId: true,
  period: true,
  currency: true,
  capMicros: true,
  spentMicros: true,
  reservedMicros: true,
  periodStart: true,
  version: true,
  createdAt: true,
} as const;

export type BudgetView = {
  readonly id: string;
  readonly scope: (typeof BUDGET_SCOPES)[number];
  readonly scopeId: string;
  readonly period: (typeof BUDGET_PERIODS)[number];
  readonly currency: string;
  readonly capMicros: bigint;
  /** Spent in the period that is running now. */
  readonly spentMicros: bigint;
  readonly reservedMicros: bigint;
  readonly version: number;
  readonly createdAt: Date;
};

type Row = Omit<BudgetView, "scope" | "period"> & {
  readonly scope: string;
  readonly period: string;
  readonly periodStart: Date;
};

/** What was spent belongs to the period in the row, which may have ended: the counters move on at the next claim. */
export function budgetView({ periodStart, ...row }: Row, now: Date): BudgetView {
  const period = row.period as BudgetView["period"];
  const isOver = periodStart < startOf(period, now);
  return {
    ...row,
    scope: row.scope as BudgetView["scope"],
    period,
    spentMicros: isOver ? 0n : row.spentMicros,
  };
}

/** As `app.period_start` of the database has it: UTC. */
export function startOf(period: BudgetView["period"], at: Date): Date {
  switch (period) {
    case "request":
      return new Date(0);
    case "day":
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
    case "month":
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  }
}

const microsText = z.string().describe("Whole micro-units, in decimal.");

/** A budget as OpenAPI describes it. */
export const budgetSchema = z.strictObject({
  id: z.string(),
  scope: z.enum(BUDGET_SCOPES),
  scopeId: z.string(),
  period: z.enum(BUDGET_PERIODS),
  currency: z.string(),
  capMicros: microsText,
  spentMicros: microsText,
  reservedMicros: microsText,
  version: z.int(),
  createdAt: z.iso.datetime(),
});
