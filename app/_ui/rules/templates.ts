import type { ApproverRole } from "@/server/domain/roles";
import type { RulePart, RulePartKind } from "@/server/domain/rule-forms";

type Office = Extract<RulePart, { kind: "outsideHours" }>;
const office = (zone: string): Office => {
  return { kind: "outsideHours", zone, weekdays: [1, 2, 3, 4, 5], from: 540, until: 1_020 };
};

/** A part of each kind to begin with. */
export const newPart = (kind: RulePartKind, zone: string): RulePart => {
  switch (kind) {
    case "actions":
      return { kind, actions: ["email.send"] };
    case "amount":
      return { kind, limits: [{ currency: "EUR", above: "500" }], others: true };
    case "newTargets":
      return { kind, to: "agent", of: "any" };
    case "categories":
      return { kind, categories: ["bank_details"] };
    case "outsideHours":
      return office(zone);
    case "labels":
      return { kind, labels: ["untrusted"] };
  }
};

export type Template = {
  readonly label: string;
  readonly verdict: "approval" | "deny";
  readonly requiredRole: ApproverRole;
  readonly people: 1 | 2;
  readonly parts: readonly RulePartKind[];
};

const asks = { verdict: "approval", requiredRole: "approver", people: 1 } as const;

/** What organizations usually want of a rule, as a place to start. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  recipients: { ...asks, label: "New recipients", parts: ["actions", "newTargets"] },
  amount: { ...asks, label: "Amount above a limit", parts: ["amount"] },
  forbidden: { ...asks, verdict: "deny", label: "Forbidden actions", parts: ["actions"] },
  categories: { ...asks, label: "Sensitive categories", parts: ["categories"] },
  amountRole: { ...asks, requiredRole: "admin", label: "An admin for large amounts", parts: ["amount"] },
  actionRole: { ...asks, requiredRole: "admin", label: "An admin for an action", parts: ["actions"] },
  dual: { ...asks, people: 2, label: "Two people for an action", parts: ["actions"] },
  hours: { ...asks, label: "Outside working hours", parts: ["outsideHours"] },
  labels: { ...asks, label: "Labels of the session", parts: ["labels"] },
};
