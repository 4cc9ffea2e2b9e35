import { describe, expect, it } from "vitest";
import { faultsOf } from "@/server/cli/demo/slack-limits";
import type { ThreadFacts } from "@/server/services/slack/thread-facts";
import { outcomeReply, reminderReply } from "@/slack/card/replies";

const HOSTILE = "<!channel> <https://evil.example|ok> \u202Eexe ```";
const facts = (more: Partial<ThreadFacts> = {}): ThreadFacts => ({
  approvalId: "apr_01ARZ3NDEKTSV4RRFFQ69G5FAV",
  status: "rejected",
  expiresAt: new Date("2026-12-01T10:00:00Z"),
  remindedAt: null,
  calledRole: null,
  answers: [{ name: "Ada", decision: "reject", reason: HOSTILE }],
  endedBy: null,
  why: null,
  waitsFor: [],
  askedBy: [],
  ...more,
});

describe("a reply", () => {
  it("holds what a person wrote as data alone, visible, and within Slack's limits", () => {
    const { text, blocks } = outcomeReply(
      facts({ answers: Array(3).fill({ name: HOSTILE, decision: "reject", reason: HOSTILE.repeat(300) }) }),
      {
        isOpenChannel: false,
      },
    );
    expect(text).not.toContain("<");
    expect(faultsOf(blocks)).toEqual([]);
    const outside = blocks.flatMap((block): unknown[] =>
      block.type === "rich_text" ? block.elements.filter(({ type }) => type === "rich_text_section") : [block],
    );
    expect(JSON.stringify(outside)).not.toContain("evil");
    expect(JSON.stringify(blocks)).toContain("\u27E6RLO\u27E7");
  });

  it("says nothing but how it ended where others can read it", () => {
    expect(outcomeReply(facts(), { isOpenChannel: true }).blocks).toHaveLength(1);
    expect(
      JSON.stringify(outcomeReply(facts({ endedBy: "Ada", why: "A secret." }), { isOpenChannel: true })),
    ).not.toMatch(/Ada|secret|evil/);
  });

  it("says until when somebody can decide, or that it does not expire", () => {
    const reminder = (more: Partial<ThreadFacts>) =>
      JSON.stringify(reminderReply(facts({ status: "pending", ...more })));
    expect(reminder({})).toMatch(/Decide until/);
    expect(reminder({ expiresAt: null })).toMatch(/does not expire/);
    expect(reminder({ expiresAt: null })).not.toMatch(/Decide until/);
  });

  it("tells who asked, and them alone, where nobody else can read it", () => {
    const asked = facts({ askedBy: ["U7"] });
    expect(JSON.stringify(outcomeReply(asked, { isOpenChannel: false }).blocks)).toContain('"user_id":"U7"');
    expect(JSON.stringify(outcomeReply(asked, { isOpenChannel: true }).blocks)).not.toContain("U7");
  });

  it("names who withdrew it and why it is void, and calls nobody but by Slack's own ids", () => {
    const ended = outcomeReply(facts({ status: "voided", answers: [], endedBy: "Ada", why: "It changed." }), {
      isOpenChannel: false,
    });
    expect(JSON.stringify(ended.blocks)).toMatch(/Ada.*It changed\./);
    expect(JSON.stringify(reminderReply(facts({ status: "pending", waitsFor: ["U1"] })).blocks)).toContain(
      '"type":"user","user_id":"U1"',
    );
    expect(JSON.stringify(reminderReply(facts({ status: "pending" })).blocks)).not.toContain('"type":"user"');
  });
});
