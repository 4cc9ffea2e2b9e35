import { describe, expect, it } from "vitest";
import { diffRules } from "@/server/domain/rule-diff";
import { ruleWith } from "@/test/support/rule-facts";

const mail = ruleWith("size(recipients) > 5", { name: "Large mailings", people: 2 });
const web = ruleWith('hosts.exists(h, h == "a.example")', { name: "One host" });

describe("the difference between two versions of the rules", () => {
  it("is nothing between equal ones, whatever their order", () => {
    expect(diffRules([mail, web], [web, mail])).toEqual([]);
  });

  it("names each field that moved, before and after, under the rule's later name", () => {
    const after = { ...mail, name: "Mailings", condition: "size(recipients) > 9" };
    expect(diffRules([mail, web], [after, web])).toEqual([
      {
        kind: "changed",
        id: mail.id,
        name: "Mailings",
        fields: [
          { field: "name", from: "Large mailings", to: "Mailings" },
          { field: "condition", from: "size(recipients) > 5", to: "size(recipients) > 9" },
        ],
      },
    ]);
  });

  it("tells what was added from what was removed, with all they say", () => {
    const [removed, added] = diffRules([mail], [web]);
    expect(removed).toMatchObject({ kind: "removed", name: "Large mailings" });
    expect(removed?.fields).toContainEqual({ field: "people", from: "2", to: null });
    expect(added).toMatchObject({ kind: "added", name: "One host" });
    expect(added?.fields).toContainEqual({ field: "verdict", from: null, to: "approval" });
  });
});
