import type { Rule, RuleFacts } from "@/server/domain/rule";

/** Facts of an ordinary mail to one known recipient, on Monday 30 November 2026 at 09:05 UTC. */
export function factsWith(changes: Partial<RuleFacts> = {}): RuleFacts {
  return {
    action: "email.send",
    effect: "write",
    risk: "medium",
    outward: false,
    irreversible: true,
    amountMicros: 12_500_000n,
    currency: "EUR",
    amountDoubt: null,
    recipients: ["ann@corp.example"],
    hosts: [],
    categories: [],
    newTargets: [],
    newToOrganization: [],
    agent: { id: "agt_1", name: "Mailer", autonomy: "supervised", department: "dep_1" },
    connection: { id: "con_1", name: "mail", provider: "smtp" },
    session: { labels: ["unverified"], origin: "external" },
    arguments: { to: ["ann@corp.example"], subject: "Hello", priority: 2, urgent: true, headers: { "x-team": "ops" } },
    at: new Date("2026-11-30T09:05:00Z"),
    ...changes,
  };
}

let count = 0;
export function ruleWith(condition: string, changes: Partial<Extract<Rule, { verdict: "approval" }>> = {}): Rule {
  count += 1;
  return {
    id: `rul_${String(count).padStart(26, "0")}`,
    name: `Rule ${count}`,
    condition,
    verdict: "approval",
    ...changes,
  };
}
