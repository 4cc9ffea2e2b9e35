import { expect, it } from "vitest";
import { getApproval } from "@/server/services/approvals/get";
import { gatewayFixture } from "@/test/db/gateway/fixture";
import { inProcess } from "@/test/support/in-process";
import type { TestPerson } from "@/test/support/organization";

const { org, submit, execute, state, performed, database } = gatewayFixture();

const order = { target: "a", text: "as asked", amount: "12.50", to: ["x", "y"] };

it("of many edits and decisions at once in two processes one wins, and what runs is whole", {
  timeout: 90_000,
}, async () => {
  const asked = await submit("test.order", order);
  const id = asked.approval?.id ?? "";
  const { digest } = await getApproval(org().approver.actor, { id });
  const people = [org().approver, org().admin, org().owner];
  const calls = (offset: number) =>
    Array.from({ length: 12 }, (_, at) => {
      const { actor } = people[(at + offset) % 3] as TestPerson;
      const args = { ...order, text: `edited ${offset}.${at}`, amount: `${at}` };
      return at % 4 === 3
        ? ({ kind: "decide", actor, input: { id, digest, decision: "approve" } } as const)
        : ({ kind: "edit", actor, input: { id, digest, arguments: args } } as const);
    });
  const results = (await Promise.all([inProcess(database(), calls(0)), inProcess(database(), calls(1))])).flatMap(
    (done) => done ?? [],
  );
  expect(results).toHaveLength(24);
  expect(results.filter((result) => "ok" in result)).toHaveLength(1);
  const codes = new Set(results.flatMap((result) => ("error" in result ? [result.error] : [])));
  expect([...codes].every((code) => ["already_decided", "digest_mismatch"].includes(code))).toBe(true);
  expect(await execute(asked.id)).toBe("ran");
  expect(performed(asked.id)).toBe(1);
  const { edits = [], result } = await state(asked.id);
  expect(edits.length).toBeLessThanOrEqual(1);
  const text = edits[0]?.changes?.find(({ field }) => field === "text")?.after ?? order.text;
  expect(result).toMatchObject({ secret: text });
});
