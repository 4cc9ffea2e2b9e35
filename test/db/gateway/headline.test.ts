import { describe, expect, it } from "vitest";
import { listToolRequests } from "@/server/services/requests/list";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";

const { org, submit } = gatewayFixture();

describe("the list of requests", () => {
  it("says of each row what is asked, to those who may read content and to nobody else", async () => {
    const { id } = await submit("test.write", { target: "\u202eelbat" });
    const seen = await listToolRequests(org().approver.actor, {});
    expect(seen.items).toMatchObject([{ id, headline: "Write to \u202eelbat" }]);
    const withheld = await listToolRequests(org().auditor.actor, {});
    expect(withheld.items).toMatchObject([{ id, headline: null }]);
    expect(JSON.stringify(withheld)).not.toContain("elbat");
  });

  it("holds no sealed bytes, and no headline where the arguments were not kept", async () => {
    const secret = { target: "a", text: `key AKIA${"ABCDEFGHIJKLMNOP"}` };
    expect(await reasonOf(submit("test.write", secret))).toBe("secret_found");
    const { items } = await listToolRequests(org().owner.actor, {});
    expect(items).toMatchObject([{ deniedCode: "secret_found", headline: null }]);
    expect(Object.keys(items[0] ?? {})).not.toContain("sealedArguments");
  });
});
