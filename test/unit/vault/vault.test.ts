import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { AppError } from "@/server/domain/errors";
import { type DataKeySource, DataKeys, type WrappedDataKey } from "@/server/vault/data-keys";
import { type Binding, openWith, sealWith } from "@/server/vault/envelope";
import { kekFrom } from "@/server/vault/kek";
import { LruMap } from "@/server/vault/lru-map";
import { Vault } from "@/server/vault/vault";

const freshKek = () => kekFrom(randomBytes(32).toString("base64"));

/** The rows that a database would hold. */
function rows(options: { isCommitted?: boolean } = {}) {
  const stored = new Map<string, WrappedDataKey[]>();
  const counts = { loads: 0, creates: 0 };
  const source: DataKeySource = {
    async load(orgId, version) {
      counts.loads++;
      const all = stored.get(orgId) ?? [];
      const found = version === "current" ? all.at(-1) : all.find((key) => key.version === version);
      return found ? { ...found, isCommitted: options.isCommitted ?? true } : null;
    },
    async create(orgId, key) {
      counts.creates++;
      const all = stored.get(orgId) ?? [];
      const existing = all.find((other) => other.version === key.version);
      if (existing) return existing;
      stored.set(orgId, [...all, key]);
      return key;
    },
  };
  return { source, stored, counts };
}

const binding: Binding = { orgId: "org_a", record: "req_1", version: 1, kind: "arguments" };
const text = Buffer.from('{"to":["ann@corp.example"]}');

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    return error instanceof AppError ? error.reason : `bug: ${error}`;
  }
}

describe("content", () => {
  test("opens where it was sealed, and is not readable at rest", async () => {
    const { source } = rows();
    const vault = new Vault(freshKek());
    const sealed = await vault.seal(source, binding, text);
    expect((await vault.open(source, binding, sealed)).equals(text)).toBe(true);
    expect((await vault.openSecret(source, binding, sealed)).expose()).toBe(text.toString());
    expect(sealed.includes(Buffer.from("ann@"))).toBe(false);
    expect([sealed[0], sealed.readUInt32BE(1), sealed.length]).toEqual([1, 1, text.length + 5 + 12 + 16]);
  });

  const places: Binding[] = ["org_a", "org_b"].flatMap((orgId) =>
    ["req_1", "req_2"].flatMap((record) =>
      [1, 2, 11].flatMap((version) => ["arguments", "result"].map((kind) => ({ orgId, record, version, kind }))),
    ),
  );

  test("moved to any other organization, record, version or kind does not open", async () => {
    const { source } = rows();
    const vault = new Vault(freshKek());
    await Promise.all(["org_a", "org_b"].map((orgId) => vault.seal(source, { ...binding, orgId }, text)));
    for (const from of places) {
      const sealed = await vault.seal(source, from, text);
      const reasons = await Promise.all(places.map((to) => reasonOf(vault.open(source, to, sealed))));
      expect(reasons).toEqual(places.map((to) => (to === from ? "none" : "vault_content_unreadable")));
    }
  });

  test("moved does not open even where organizations share one data key", () => {
    const key = freshKek();
    const opens = (place: Binding, sealed: Buffer) => {
      try {
        return openWith(key, place, sealed).equals(text);
      } catch {
        return false;
      }
    };
    for (const from of places) {
      const sealed = sealWith(key, 1, from, text);
      expect(places.filter((to) => opens(to, sealed))).toEqual([from]);
    }
  });

  test("with any byte changed, or cut anywhere, does not open", async () => {
    const { source } = rows();
    const vault = new Vault(freshKek());
    const sealed = await vault.seal(source, binding, text);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(await reasonOf(vault.open(source, binding, changed))).toMatch(
        /^vault_(content_unreadable|data_key_missing)$/,
      );
      expect(await reasonOf(vault.open(source, binding, sealed.subarray(0, at)))).toBe("vault_content_unreadable");
    }
  });

  test("sealed twice never looks the same", async () => {
    const { source } = rows();
    const vault = new Vault(freshKek());
    const sealed = await Promise.all(Array.from({ length: 200 }, () => vault.seal(source, binding, text)));
    expect(new Set(sealed.map((buffer) => buffer.subarray(5, 17).toString("hex"))).size).toBe(200);
  });

  test("a binding that could be read in two ways is a bug", async () => {
    const { source } = rows();
    const vault = new Vault(freshKek());
    for (const change of [{ record: "a|b" }, { kind: "" }, { version: 1.5 }, { version: -1 }]) {
      expect(await reasonOf(vault.seal(source, { ...binding, ...change }, text))).toMatch(/^bug/);
    }
  });
});

describe("keys", () => {
  test("without a KEK nothing is stored or read, and the message says what to set", () => {
    for (const value of [undefined, ""]) {
      expect(() => kekFrom(value)).toThrow(/CONNECTIONS_KEK/);
      expect(() => kekFrom(value)).toThrow(AppError);
    }
    expect(() => kekFrom("c2hvcnQ=")).toThrow(/32 bytes/);
    expect(() => kekFrom(`${"A".repeat(43)}-`)).toThrow(AppError);
  });

  test("under the wrong KEK nothing opens and nothing new is sealed", async () => {
    const { source } = rows();
    const sealed = await new Vault(freshKek()).seal(source, binding, text);
    const wrong = new Vault(freshKek());
    expect(await reasonOf(wrong.open(source, binding, sealed))).toBe("vault_key_wrong");
    expect(await reasonOf(wrong.seal(source, binding, text))).toBe("vault_key_wrong");
  });

  test("a wrapped data key moved to another organization or version does not unwrap", async () => {
    const { source, stored } = rows();
    const vault = new Vault(freshKek());
    await vault.seal(source, binding, text);
    const [key] = stored.get("org_a") ?? [];
    stored.set("org_b", [{ ...(key as WrappedDataKey) }]);
    stored.set("org_c", [{ ...(key as WrappedDataKey), version: 2 }]);
    expect(await reasonOf(vault.seal(source, { ...binding, orgId: "org_b" }, text))).toBe("vault_key_wrong");
    expect(await reasonOf(vault.seal(source, { ...binding, orgId: "org_c" }, text))).toBe("vault_key_wrong");
  });

  test("after a rotation old content opens and new content uses the new key", async () => {
    const { source } = rows();
    const vault = new Vault(freshKek());
    const old = await vault.seal(source, binding, text);
    expect(await vault.rotate(source, "org_a")).toBe(2);
    const fresh = await vault.seal(source, binding, text);
    expect([old.readUInt32BE(1), fresh.readUInt32BE(1)]).toEqual([1, 2]);
    expect((await vault.open(source, binding, old)).equals(text)).toBe(true);
    expect((await vault.open(source, binding, fresh)).equals(text)).toBe(true);
  });

  test("of two replicas that make the first key at once, both use the one that was stored", async () => {
    const { source, stored } = rows();
    const kek = freshKek();
    const [one, two] = [new Vault(kek), new Vault(kek)];
    const sealed = await Promise.all([one.seal(source, binding, text), two.seal(source, binding, text)]);
    expect(stored.get("org_a")?.length).toBe(1);
    expect((await one.open(source, binding, sealed[1])).equals(text)).toBe(true);
    expect((await two.open(source, binding, sealed[0])).equals(text)).toBe(true);
  });

  test("a key whose transaction may roll back is used but not remembered", async () => {
    const pending = rows({ isCommitted: false });
    const vault = new Vault(freshKek());
    const sealed = await vault.seal(pending.source, binding, text);
    await vault.seal(pending.source, binding, text);
    await vault.open(pending.source, binding, sealed);
    expect(pending.counts.loads).toBe(3);
    // Rolled back: what is sealed next must use a key that exists.
    const after = rows();
    const again = await vault.seal(after.source, binding, text);
    expect(after.counts.creates).toBe(1);
    expect(await reasonOf(vault.open(after.source, binding, again))).toBe("none");
    expect(await reasonOf(vault.open(after.source, binding, sealed))).toBe("vault_content_unreadable");
  });

  test("a committed key is loaded once, and asked for again after a minute", async () => {
    const { source, counts } = rows();
    let now = 0;
    const keys = new DataKeys(freshKek(), () => now);
    await keys.current(source, "org_a");
    await keys.current(source, "org_a");
    const loads = counts.loads;
    for (let turn = 0; turn < 10; turn++) await keys.current(source, "org_a");
    expect(counts.loads).toBe(loads);
    now = 60_001;
    await keys.current(source, "org_a");
    expect(counts.loads).toBe(loads + 1);
  });

  test("the memory of keys is bounded and forgets what was used least recently", () => {
    const map = new LruMap<string, number>(3);
    for (const [index, key] of ["a", "b", "c"].entries()) map.set(key, index);
    map.get("a");
    map.set("d", 3);
    expect([map.size, map.get("a"), map.get("b"), map.get("d")]).toEqual([3, 0, undefined, 3]);
  });
});
