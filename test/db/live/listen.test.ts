import { afterAll, beforeAll, expect, it } from "vitest";
import { type Change, onChange, stopListening } from "@/server/db/listen";
import { withOrgSql } from "@/server/db/with-org";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, testOrganization } from "@/test/support/organization";

let database: TestDatabase;
let mine: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  database = await freshDatabase();
  [mine, other] = [await testOrganization(), await testOrganization()];
});
afterAll(async () => {
  await stopListening();
  await database.drop();
});

it("tells a follower to read again once it listens, and then of its own organization's changes alone", async () => {
  const heard: Change[] = [];
  const stop = onChange(mine.id, (change) => heard.push(change));
  await expect.poll(() => heard.map(({ kind }) => kind)).toEqual(["resync"]);
  await withOrgSql(other.id, (q) => q.query("SELECT app.tell('request', 'req_other')"));
  await withOrgSql(mine.id, (q) => q.query("SELECT app.tell('request', 'req_mine')"));
  await expect.poll(() => heard.at(-1)?.id).toBe("req_mine");
  expect(heard).toHaveLength(2);
  stop();
});
