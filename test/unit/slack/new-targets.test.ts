import { expect, it } from "vitest";
import { APPROVE, cardOf } from "@/slack/card/card";
import { facts, PLACE } from "@/test/unit/slack/facts";

const drawn = (of: Parameters<typeof facts>[0]) => JSON.stringify(cardOf(facts(of), PLACE).blocks);

it("a card names what is reached for the first time, as data and whole, while it waits", () => {
  const newTargets = ["new.example", "<!channel> *x*"];
  const card = drawn({ newTargets });
  expect(card).toContain("new.example\\n<!channel> *x*");
  expect(card).toContain(APPROVE);
  for (const block of cardOf(facts({ newTargets }), PLACE).blocks) {
    if (block.type !== "rich_text") expect(JSON.stringify(block)).not.toContain("<!channel>");
  }
  expect(drawn({ newTargets, status: "approved" })).not.toContain("new.example");
  expect(drawn({ newTargets: Array.from({ length: 200 }, (_, at) => `host-${at}.example`) })).not.toContain(APPROVE);
});
