import { describe, expect, it } from "vitest";
import { dataKeySource, dataKeysOf, dataKeysOfSql } from "@/server/db/data-keys";
import { withOrg, withOrgSql } from "@/server/db/with-org";
import { openForOrg, sealForOrg } from "@/server/vault/for-org";
import { testOrganization } from "@/test/support/organization";
import { twoOrganizations } from "./fixture";

const two = twoOrganizations();
const binding = (orgId: string) => ({ orgId, record: "note", version: 1, kind: "note" });
const made = (byte: number) => ({ version: 1, wrapped: Buffer.alloc(60, byte) });

describe("an organization's data keys", () => {
  it("count as committed only once their transaction is over, on either kind of connection", async () => {
    const [one, other] = [await testOrganization(), await testOrganization()];
    const seen = await withOrg(one.id, async (tx) => {
      await dataKeysOf(tx).create(one.id, made(1));
      return dataKeysOf(tx).load(one.id, "current");
    });
    expect(seen).toMatchObject({ version: 1, isCommitted: false });
    const seenSql = await withOrgSql(other.id, async (q) => {
      await dataKeysOfSql(q).create(other.id, made(2));
      return dataKeysOfSql(q).load(other.id, 1);
    });
    expect(seenSql).toMatchObject({ version: 1, isCommitted: false });
    for (const { id } of [one, other])
      expect(await dataKeySource.load(id, "current")).toMatchObject({ isCommitted: true });
  });

  it("belong to one organization", async () => {
    await dataKeySource.create(two.ours.id, made(3));
    expect(await withOrg(two.theirs.id, (tx) => dataKeysOf(tx).load(two.ours.id, "current"))).toBeNull();
    await expect(withOrg(two.theirs.id, (tx) => dataKeysOf(tx).create(two.ours.id, made(4)))).rejects.toThrow();
  });

  it("are the first one's for everybody when many make the first at once", async () => {
    const { id } = await testOrganization();
    const keys = await Promise.all(Array.from({ length: 10 }, (_, i) => dataKeySource.create(id, made(i))));
    expect(new Set(keys.map(({ wrapped }) => Buffer.from(wrapped).toString("hex"))).size).toBe(1);
  });

  it("that a rollback took back seal nothing afterwards", async () => {
    const { id } = await testOrganization();
    await expect(
      withOrgSql(id, async (q) => {
        await sealForOrg(dataKeysOfSql(q), binding(id), Buffer.from("lost"));
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    const sealed = await withOrgSql(id, (q) => sealForOrg(dataKeysOfSql(q), binding(id), Buffer.from("kept")));
    expect((await openForOrg(dataKeySource, binding(id), sealed)).toString()).toBe("kept");
  });
});
