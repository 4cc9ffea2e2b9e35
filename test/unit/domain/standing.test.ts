import { describe, expect, it } from "vitest";
import { type StandingFacts, standingOf } from "@/server/domain/standing";
import { REQUEST_STATUSES } from "@/server/domain/tool-request";

const facts = (more: Partial<StandingFacts>): StandingFacts => ({
  status: "pending",
  agentName: "bot",
  isProposal: false,
  deniedCheck: null,
  deniedCode: null,
  blockedCheck: null,
  blockedCode: null,
  isHeld: false,
  returnedWhy: null,
  decidedBy: [],
  editedBy: null,
  takenUpBy: null,
  endedBy: null,
  isResolved: false,
  isMadeGood: false,
  words: null,
  ...more,
});
const ada = { kind: "person", name: "Ada" } as const;
const words = "Not this one.";

const CASES: readonly [string, Partial<StandingFacts>, string, readonly string[], RegExp | null][] = [
  [
    "refused",
    { status: "denied", deniedCheck: "grant", deniedCode: "no_grant" },
    "refused",
    ["the agent's grant"],
    /No grant lets/,
  ],
  ["stopped", { status: "denied", deniedCheck: "controls", deniedCode: "frozen" }, "refused", ["a control"], /frozen/],
  [
    "proposed",
    { status: "denied", isProposal: true, deniedCheck: "approval_reasons", deniedCode: "recorded_as_proposal" },
    "proposed",
    ["the organization's rules"],
    /proposal/,
  ],
  ["taken up", { status: "denied", isProposal: true, takenUpBy: "Ada" }, "taken_up", ["Ada"], null],
  ["waiting", {}, "waiting", [], null],
  ["held", { isHeld: true, returnedWhy: "held_by_freeze" }, "held", ["a control"], /freeze/],
  ["blocked", { blockedCheck: "reservation", blockedCode: "budget_spent" }, "blocked", ["a budget or limit"], /budget/],
  ["superseded", { returnedWhy: "stricter" }, "asked_again", ["Countersign"], /stricter/],
  ["edited", { returnedWhy: "edited", editedBy: "Ada" }, "asked_again", ["Ada"], /edited/],
  ["approved", { status: "ready", decidedBy: ["Ada", "Bo"] }, "approved", ["Ada", "Bo"], null],
  ["allowed", { status: "ready" }, "allowed", ["the checks"], null],
  ["scheduled", { status: "scheduled", decidedBy: ["Ada"] }, "in_window", ["Ada"], null],
  ["running", { status: "executing" }, "running", ["the checks"], null],
  ["ran", { status: "succeeded", decidedBy: ["Ada"] }, "succeeded", ["Ada"], null],
  ["made good", { status: "succeeded", isMadeGood: true }, "made_good", ["bot"], null],
  ["marked done", { status: "succeeded", isResolved: true, endedBy: ada, words }, "marked_done", ["Ada"], /Not this/],
  ["failed", { status: "failed", words }, "failed", ["Countersign"], /Not this/],
  ["marked not done", { status: "failed", isResolved: true, endedBy: ada, words }, "marked_not_done", ["Ada"], /Not/],
  ["unknown", { status: "outcome_unknown" }, "unknown", ["Countersign"], null],
  ["rejected", { status: "rejected", decidedBy: ["Ada"], words }, "rejected", ["Ada"], /Not this/],
  ["expired", { status: "expired" }, "expired", ["nobody in time"], null],
  ["withdrawn", { status: "withdrawn", endedBy: ada }, "withdrawn", ["Ada"], null],
  ["cancelled", { status: "cancelled", endedBy: { kind: "agent", name: "bot" } }, "cancelled", ["bot"], null],
];

describe("where a request stands", () => {
  it.each(CASES)("is told by whom and why: %s", (_name, more, code, by, why) => {
    const standing = standingOf(facts(more));
    expect(standing.code).toBe(code);
    expect(standing.by.map(({ name }) => name)).toEqual(by);
    if (why === null) expect(standing.why).toBeNull();
    else expect(standing.why).toMatch(why);
  });

  it("has a case for every status there is", () => {
    const statuses = new Set(CASES.map(([, more]) => more.status ?? "pending"));
    expect([...REQUEST_STATUSES].filter((status) => !statuses.has(status))).toEqual([]);
  });

  it("makes nothing of a code that is not one of ours, and falls back on no word of an object", () => {
    const standing = standingOf(facts({ status: "denied", deniedCheck: "constructor", deniedCode: "toString" }));
    expect(standing).toMatchObject({ code: "refused", by: [{ kind: "control" }], why: null });
  });
});
