import { describe, expect, it } from "vitest";
import { type AlertFacts, alertCard } from "@/slack/card/alert";

const facts = (type: string, fields: AlertFacts["event"]["fields"] = {}): AlertFacts => ({
  event: { type, at: "2026-12-01T10:00:00.000Z", fields },
  actorName: "Priya \u202En.",
  agentName: "Order desk",
});
const place = { publicUrl: "https://countersign.example", isOpenChannel: false };

describe("an alert", () => {
  it("names who and what, with nothing hidden, and links to where it can be changed", () => {
    const text = JSON.stringify(alertCard(facts("agent.paused"), place));
    expect(text).toContain("Order desk");
    expect(text).toContain("RLO");
    expect(text).not.toContain("\u202E");
    expect(text).toContain("https://countersign.example/agents");
  });

  it("names nobody and nothing in a channel that others can read", () => {
    const fields = { name: "over 500", rule: "rul_1", verdict: "approval", ruleVersion: 2 };
    const text = JSON.stringify(alertCard(facts("rule.created", fields), { ...place, isOpenChannel: true }));
    expect(text).toContain("A rule was added.");
    expect(text).not.toMatch(/Priya|Order desk|over 500/);
  });

  it.each([
    ["control.activated", { level: "freeze" }, "Frozen"],
    ["control.activated", { level: "lockdown" }, "Locked down"],
    ["control.released", { level: "freeze" }, "The freeze was lifted"],
    ["deployment.kill_switch", { level: "freeze" }, "The operator froze"],
    ["approver_safety.changed", { changed: ["ownerDecidesOwn"] }, "How approvers decide"],
    ["approval_right.given", { right: "rgt_1", member: "mem_1" }, "given a right to approve"],
    ["approval_right.withdrawn", { right: "rgt_1", member: "mem_1" }, "right to approve was withdrawn"],
    ["organization.changed", { changed: ["slackMaxRisk"] }, "How much Slack may approve"],
    ["slack.disconnected", { team: "T_TEST", why: "uninstalled" }, "was removed from a workspace"],
    ["rules.restored", {}, "An earlier set of rules"],
    ["constructor", {}, "Something changed"],
  ])("of %s says so", (type, fields, words) => {
    expect(alertCard(facts(type, fields), place).text).toContain(words);
  });
});
