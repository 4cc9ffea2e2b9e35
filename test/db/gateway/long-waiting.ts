import { Client } from "pg";
import { beforeAll } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import type { Answer } from "@/server/services/requests/answer";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture } from "./fixture";

/** The gateway's fixture with what waits without an end, made days old where a test wants it. */
export function longWaiting() {
  const fixture = gatewayFixture();
  const { org, database, submit } = fixture;
  // Everybody has held their role for longer than what these tests call days old.
  beforeAll(async () => {
    const owner = new Client({ connectionString: database().ownerUrl });
    await owner.connect();
    await owner.query("ALTER TABLE member DISABLE TRIGGER authority");
    await owner.end();
  });
  const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));
  const rule = (name: string, more: object = {}) =>
    createRule(org().admin.actor, { name, verdict: "approval", condition: "true", ...more } as never);
  const never = () => rule("no end", { expiresMinutes: 0 });
  const idOf = (answer: Answer) => answer.approval?.id ?? "";
  const age = (id: string, span: string) =>
    sql(
      "UPDATE approval SET created_at = created_at - $2::interval, reminded_at = reminded_at - $2::interval WHERE id = $1",
      [id, span],
    );
  const waiting = async () => {
    await never();
    const answer = await submit("test.write");
    return { answer, id: idOf(answer) };
  };
  return { ...fixture, sql, rule, never, idOf, age, waiting };
}
