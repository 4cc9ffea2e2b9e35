import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultsOf } from "@/server/cli/demo/slack-limits";
import type { JsonValue } from "@/server/domain/json";
import type { CardFacts } from "@/server/services/slack/card-facts";
import { MAX_BLOCKS_LENGTH } from "@/slack/card/blocks";
import { APPROVE, type Card, cardOf, OPEN, REJECT } from "@/slack/card/card";
import { DIGEST, facts, PLACE } from "@/test/unit/slack/facts";

type Node = { readonly type?: string; readonly [key: string]: unknown };

/** Every object of a card with the chain of types above it. */
function* nodes(value: unknown, above: readonly string[] = []): Generator<{ node: Node; above: readonly string[] }> {
  if (Array.isArray(value)) for (const part of value) yield* nodes(part, above);
  else if (value !== null && typeof value === "object") {
    const node = value as Node;
    yield { node, above };
    const types = node.type === undefined ? above : [...above, node.type];
    for (const part of Object.values(node)) yield* nodes(part, types);
  }
}

const actionsOf = (card: Card) =>
  [...nodes(card.blocks)].flatMap(({ node }) => (node.type === "button" ? [String(node.action_id)] : []));
const dataOf = (card: Card) =>
  [...nodes(card.blocks)]
    .filter(({ node, above }) => node.type === "text" && above.includes("rich_text_preformatted"))
    .map(({ node }) => String(node.text));
const textOf = (card: Card) => dataOf(card).join("\n");

/** All that stands outside data is one of these: words of ours, numbers, ids, and the address of the web app. */
const OURS = new Set([
  ...["Low risk", "Medium risk", "High risk"].map((risk) => `${risk}: a person has to decide`),
  ...["What", "Exactly what will run", "Hosts named in it", "Why a person is asked", "Blocked at the moment"],
  "Reached for the first time",
  ...["About it", "The agent claims (not checked)", "Decided by", "Approve", "Reject\u2026", "Open in Countersign"],
  ...["Approved", "Rejected", "Expired: nobody decided in time, nothing runs", "Void: what was asked has changed"],
  ...["Withdrawn: nothing runs", "High risk is approved in the web app.", "This is too long to be shown here."],
  "What is asked is not shown in a channel that is public or shared.",
  "This is too long to be shown whole here, so it can only be approved in the web app.",
  "A control holds it: the time to decide does not run.",
]);
const MOMENT = /^(Decide until|Since) <!date\^\d+\^\{date_short_pretty\} \{time\}\|\d{4}-\d\d-\d\d \d\d:\d\d UTC>$/;
const TYPES = new Set(
  "header section context rich_text rich_text_section rich_text_preformatted actions button plain_text mrkdwn text".split(
    " ",
  ),
);

function expectHarmless(card: Card): void {
  expect(OURS.has(card.text)).toBe(true);
  for (const { node, above } of nodes(card.blocks)) {
    if (node.type !== undefined) expect(TYPES).toContain(node.type);
    if (node.type === "mrkdwn") expect(node.text).toMatch(MOMENT);
    if (node.type === "plain_text") expect(OURS).toContain(node.text);
    if (node.type === "text" && !above.includes("rich_text_preformatted")) expect(OURS).toContain(node.text);
    if (node.url !== undefined) expect(node.url).toBe(PLACE.url);
  }
  expect(faultsOf(card.blocks)).toEqual([]);
  expect(JSON.stringify(card.blocks).length).toBeLessThanOrEqual(MAX_BLOCKS_LENGTH);
  expect(JSON.stringify(card.blocks)).toContain("0123 4567 89ab cdef");
}

const HOSTILE = [
  "<!channel> <!here> <@U123> <#C123>",
  "<https://evil.example|Looks safe>",
  "```\n*Approved by security*\n```",
  "*bold* _it_ ~no~ `code` :rotating_light:",
  '"}],"type":"section"',
  "\u202Eexe.cod",
  "a\u200Bb\u{E0049}\u{E0067}",
  "p\u0430ypal.com",
  "https://b\u00FCcher.example/x",
  "\u27E6RLO\u27E7",
  "\uD800",
  "x".repeat(5_000),
  "\n".repeat(300),
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 400 }));
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(text, tie("value"), { maxKeys: 6 }) as fc.Arbitrary<JsonValue>,
  ),
})).value;

const anyFacts: fc.Arbitrary<CardFacts> = fc
  .record({
    action: text,
    agentName: text,
    ownerName: text,
    connectionName: text,
    provider: text,
    account: text,
    arguments: json,
    note: fc.option(text),
    reasons: fc.array(text, { minLength: 1, maxLength: 30 }),
    blocked: fc.option(text),
    status: fc.constantFrom("pending", "approved", "rejected", "expired", "voided", "withdrawn"),
    risk: fc.constantFrom("low" as const, "medium" as const, "high" as const),
    isHeld: fc.boolean(),
    decidedAt: fc.option(fc.constant(new Date("2026-12-01T09:00:00Z"))),
    decisions: fc.array(
      fc.record({ name: text, decision: fc.constantFrom("approve", "reject"), at: fc.constant(new Date(0)) }),
      {
        maxLength: 2,
      },
    ),
  })
  .map((more) => facts(more));

describe("the card", () => {
  it("shows what runs in full, over which account, why, its cost and its end, and offers both answers", () => {
    const card = cardOf(facts(), PLACE);
    const shown = textOf(card);
    for (const part of [
      "email.send",
      "orders@acme.example",
      '1: "ada@customer.example"',
      "It left our warehouse today.",
    ])
      expect(shown).toContain(part);
    for (const part of ["It cannot be undone.", "Session: unverified", "0.001 USD", "customer.example"])
      expect(shown).toContain(part);
    expect(actionsOf(card)).toEqual([APPROVE, REJECT, OPEN]);
    expect(card.blocks.at(-1)).toMatchObject({
      elements: [{ elements: [{ text: "The agent claims (not checked)" }] }, {}],
    });
    expect(JSON.stringify(card.blocks)).toContain(
      JSON.stringify(JSON.stringify({ approval: facts().approvalId, digest: DIGEST })),
    );
  });

  it("makes hidden, reordering and look-alike characters visible, and shows hosts in punycode", () => {
    const card = cardOf(
      facts({
        arguments: { to: "a\u202Eb\u200B", body: "see https://b\u00FCcher.example/x and p\u0430ypal" },
        note: "\u202Ex",
      }),
      PLACE,
    );
    const shown = textOf(card);
    expect(shown).not.toMatch(/[\u202E\u200B]/);
    for (const part of ["\u27E6RLO\u27E7", "\u27E6ZWSP\u27E7", "\u27E6MIXED SCRIPTS\u27E7", "xn--bcher-kva.example"])
      expect(shown).toContain(part);
  });

  it("cannot be made to show a bracket of ours by whoever writes one", () => {
    expect(textOf(cardOf(facts({ arguments: { a: "\u27E6RLO\u27E7" } }), PLACE))).toContain(
      "\u27E6U+27E6\u27E7RLO\u27E6U+27E7\u27E7",
    );
  });

  it("lets no line of a longer text pass for a field", () => {
    const shown = textOf(cardOf(facts({ arguments: { text: 'hello\nto: "nobody"', to: "all" } }), PLACE));
    expect(shown).toContain('\u2502 to: "nobody"');
    expect(shown.split("\n").filter((line) => line.startsWith("to:"))).toEqual(['to: "all"']);
  });

  it("offers no approval of what does not fit whole, and says which fields are long", () => {
    const card = cardOf(facts({ arguments: { to: "ada@customer.example", text: "x".repeat(20_000) } }), PLACE);
    expect(actionsOf(card)).toEqual([REJECT, OPEN]);
    expect(textOf(card)).toContain('to: "ada@customer.example"');
    expect(textOf(card)).toMatch(/text: 20,\d{3} characters, not shown here/);
  });

  it("offers no approval above what the organization lets Slack approve, and says where", () => {
    const offered = (risk: "low" | "medium", slackMaxRisk: "low" | "medium") =>
      actionsOf(cardOf(facts({ risk, slackMaxRisk }), PLACE));
    expect(offered("low", "low")).toEqual([APPROVE, REJECT, OPEN]);
    expect(offered("medium", "medium")).toEqual([APPROVE, REJECT, OPEN]);
    expect(offered("medium", "low")).toEqual([REJECT, OPEN]);
    const card = cardOf(facts({ slackMaxRisk: "low" }), PLACE);
    expect(JSON.stringify(card.blocks)).toContain("low risk only");
  });

  it("warns where who asked may decide, or did", () => {
    const written = (more: object) => JSON.stringify(cardOf(facts(more), PLACE).blocks);
    expect(written({ ownRequest: "could" })).toMatch(/Warning: who asked for this may decide it/);
    expect(written({ ownRequest: "decided", status: "approved" })).toMatch(/Warning: who asked for this decided it/);
    expect(written({})).not.toMatch(/Warning/);
  });

  it("offers no approval of high risk, nor of what is blocked", () => {
    expect(actionsOf(cardOf(facts({ risk: "high" }), PLACE))).toEqual([REJECT, OPEN]);
    expect(actionsOf(cardOf(facts({ blocked: "The grant is revoked." }), PLACE))).toEqual([REJECT, OPEN]);
  });

  it("is a link alone in a channel that is public or shared", () => {
    const card = cardOf(facts(), { ...PLACE, isOpenChannel: true });
    expect(actionsOf(card)).toEqual([OPEN]);
    expect(JSON.stringify(card)).not.toMatch(/customer|Order desk|warehouse/);
    expectHarmless(card);
  });

  it.each(["approved", "rejected", "expired", "voided", "withdrawn"])(
    "has nothing to decide once it is %s",
    (status) => {
      const decisions = [{ name: "Priya Raman", decision: "approve", at: new Date("2026-12-01T09:30:00Z") }];
      const card = cardOf(facts({ status, decisions, decidedAt: new Date("2026-12-01T09:30:00Z") }), PLACE);
      expect(actionsOf(card)).toEqual([OPEN]);
      expect(textOf(card)).toContain("Priya Raman approved at 2026-12-01 09:30 UTC");
    },
  );

  it("holds no text of others but as data, within Slack's limits and with its digest, whatever they write", () => {
    fc.assert(
      fc.property(anyFacts, (anything) => expectHarmless(cardOf(anything, PLACE))),
      { numRuns: 300 },
    );
  });

  it("offers an approval only where every argument stands on the card whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12_000, size: "max" }), (anything) => {
        const card = cardOf(facts({ arguments: { text: anything } }), PLACE);
        if (!actionsOf(card).includes(APPROVE)) return;
        const { length } = anything.replaceAll(/\s/g, "");
        expect(textOf(card).replaceAll(/\s/g, "").length).toBeGreaterThanOrEqual(length);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a card on which something beside the arguments has no room", () => {
  it.each([
    [
      "why a person is asked",
      { reasons: Array.from({ length: 20 }, (_none, index) => `${index} ${"reason ".repeat(12)}`) },
    ],
    ["the account", { account: "a".repeat(200) }],
    ["the connection", { connectionName: "c".repeat(200) }],
    ["the session's labels", { labels: ["untrusted", "x".repeat(200)] }],
    ["the hosts", { arguments: { hosts: Array.from({ length: 60 }, (_none, n) => `https://host-${n}.example.com/`) } }],
  ])("%s, does not offer to approve it", (_what, more) => {
    const card = cardOf(facts(more), PLACE);
    expect(actionsOf(card)).toEqual([REJECT, OPEN]);
    expectHarmless(card);
  });
});
