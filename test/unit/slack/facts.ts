import type { CardFacts } from "@/server/services/slack/card-facts";

export const PLACE = { url: "https://countersign.example/approvals/apr_1", isOpenChannel: false };
export const DIGEST = "0123456789abcdef".repeat(4);

/** An approval as the database would have it. */
export const facts = (more: Partial<CardFacts> = {}): CardFacts => ({
  approvalId: "apr_01ARZ3NDEKTSV4RRFFQ69G5FAV",
  digest: DIGEST,
  status: "pending",
  action: "email.send",
  risk: "medium",
  slackMaxRisk: "medium",
  phrase: null,
  agentName: "Order desk",
  ownerName: "Amos Keller",
  connectionName: "Mail",
  provider: "smtp",
  account: "orders@acme.example",
  arguments: { to: ["ada@customer.example"], subject: "Your order", text: "It left our warehouse today." },
  note: "The customer asked for it.",
  newTargets: [],
  reasons: ["It cannot be undone."],
  blocked: null,
  ownRequest: null,
  labels: ["unverified"],
  price: { micros: 1_000n, currency: "USD" },
  isIrreversible: true,
  undoSeconds: 60,
  isHeld: false,
  expiresAt: new Date("2026-12-01T10:00:00Z"),
  decidedAt: null,
  requiredPeople: 1,
  requiredRole: "approver",
  given: 0,
  decisions: [],
  ...more,
});
