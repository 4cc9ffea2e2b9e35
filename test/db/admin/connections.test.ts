import { describe, expect, it } from "vitest";
import { dataKeySource } from "@/server/db/data-keys";
import { withOrgSql } from "@/server/db/with-org";
import { changeConnection } from "@/server/services/connections/change";
import { createConnection } from "@/server/services/connections/create";
import { getConnection } from "@/server/services/connections/get";
import { listConnections } from "@/server/services/connections/list";
import { setCredential } from "@/server/services/connections/set-credential";
import { openForOrg } from "@/server/vault/for-org";
import { fiveCases } from "@/test/support/five-cases";
import { makeMail, makeWeb, outsiders, PASSWORD, recorded, twoOrganizations, unique } from "./fixture";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
const password = (text: string) => ({ kind: "password", user: "desk", password: text }) as const;
const smtp = { host: "mail.example.com", port: 587, tls: "starttls", from: "desk@corp.example" } as const;

type Stored = { id: string; version: number; kind: string; status: string; sealed: Buffer | null; hint: string };
const credentialsOf = (connectionId: string) =>
  withOrgSql(two.ours.id, async (q) => {
    const text =
      "SELECT id, version, kind, status, sealed, hint FROM credential WHERE connection_id = $1 ORDER BY version";
    return (await q.query<Stored>(text, [connectionId])).rows;
  });

describe("connection.create", () => {
  fiveCases({
    command: createConnection,
    allowed: async () => ({
      actor: admin(),
      input: { provider: "smtp", name: unique("mail"), config: smtp, credential: password(PASSWORD) },
      check: (answer) =>
        expect(answer).toMatchObject({
          account: "desk@corp.example",
          capabilities: ["email"],
          status: "active",
          configVersion: 1,
          credential: { version: 1, kind: "password", hint: "1234" },
        }),
    }),
    invalid: async () => ({
      actor: admin(),
      input: { provider: "smtp", name: unique("mail"), config: { ...smtp, port: 0 } },
      field: "config.port",
    }),
    forbidden: async () => ({
      actors: outsiders(two.ours),
      input: { provider: "http", name: unique("web"), config: {} },
    }),
    otherOrganization: null,
    conflict: async () => {
      const { name } = await makeWeb(two.ours);
      return { actor: admin(), input: { provider: "http", name, config: {} }, reason: "already_exists" };
    },
  });

  it("refuses a provider, a capability and a kind of credential that do not exist there", async () => {
    const make = (more: object) =>
      createConnection(admin(), { provider: "smtp", name: unique("mail"), config: smtp, ...more });
    await expect(make({ provider: "telex" })).rejects.toMatchObject({ details: { field: "provider" } });
    await expect(make({ capabilities: ["fax"] })).rejects.toMatchObject({ details: { field: "capabilities[0]" } });
    const header = { kind: "header", name: "authorization", value: "Bearer 0123456789" };
    await expect(make({ credential: header })).rejects.toMatchObject({ details: { field: "credential.kind" } });
  });
});

describe("connection.change", () => {
  fiveCases({
    command: changeConnection,
    allowed: async () => {
      const { id } = await makeMail(two.ours);
      return {
        actor: admin(),
        input: { id, configVersion: 1, config: { ...smtp, from: "sales@corp.example" } },
        check: async (answer) => {
          expect(answer).toMatchObject({ configVersion: 2, account: "sales@corp.example", credential: { version: 1 } });
          const [entry] = (await recorded(two.ours.id, "connection.changed")).slice(-1);
          expect(entry?.document.fields).toMatchObject({ changed: ["account", "config"], version: 2 });
          expect(JSON.stringify(entry)).not.toContain("mail.example.com");
        },
      };
    },
    invalid: async () => ({
      actor: admin(),
      input: { id: (await makeMail(two.ours)).id, configVersion: 1, status: "asleep" },
      field: "status",
    }),
    forbidden: async () => ({
      actors: outsiders(two.ours),
      input: { id: (await makeWeb(two.ours)).id, configVersion: 1, status: "suspended" },
    }),
    otherOrganization: async () => ({
      actor: two.theirs.owner.actor,
      input: { id: (await makeWeb(two.ours)).id, configVersion: 1, status: "suspended" },
    }),
    conflict: async () => {
      const { id } = await makeWeb(two.ours);
      await changeConnection(admin(), { id, configVersion: 1, account: "another" });
      return { actor: admin(), input: { id, configVersion: 1, name: unique("n") }, reason: "stale_version" };
    },
  });

  it("leaves the version of the settings alone when only status, name or sensitivity change", async () => {
    const { id } = await makeWeb(two.ours);
    const change = { id, configVersion: 1, status: "suspended", sensitive: true, name: unique("other") } as const;
    expect(await changeConnection(admin(), change)).toMatchObject({ status: "suspended", configVersion: 1 });
  });

  it("does not send a stored secret to another server: whoever points it there must give it again", async () => {
    const { id } = await makeMail(two.ours);
    const elsewhere = { id, configVersion: 1, config: { ...smtp, host: "mail.attacker.example" } };
    await expect(changeConnection(admin(), elsewhere)).rejects.toMatchObject({ details: { field: "credential" } });
    const changed = await changeConnection(admin(), { ...elsewhere, credential: password("another password 9876") });
    expect(changed).toMatchObject({ configVersion: 2, credential: { version: 2, hint: "9876" } });
  });
});

describe("connection.set_credential", () => {
  fiveCases({
    command: setCredential,
    allowed: async () => {
      const { id } = await makeMail(two.ours);
      return {
        actor: admin(),
        input: { id, credential: password("a second password 5678") },
        check: async (answer) => {
          expect(answer).toMatchObject({ configVersion: 1, credential: { version: 2, hint: "5678" } });
          const [entry] = (await recorded(two.ours.id, "credential.rotated")).slice(-1);
          expect(entry?.document.fields).toMatchObject({ connection: id, version: 2, kind: "password" });
        },
      };
    },
    invalid: async () => ({
      actor: admin(),
      input: { id: (await makeMail(two.ours)).id, credential: password("short") },
      field: "credential.password",
    }),
    forbidden: async () => ({
      actors: outsiders(two.ours),
      input: { id: (await makeMail(two.ours)).id, credential: password(PASSWORD) },
    }),
    otherOrganization: async () => ({
      actor: two.theirs.owner.actor,
      input: { id: (await makeMail(two.ours)).id, credential: password(PASSWORD) },
    }),
    conflict: null,
  });

  it("seals it so that it opens as this credential and this version alone, and destroys what was retired", async () => {
    const { id } = await makeMail(two.ours);
    await setCredential(admin(), { id, credential: password("a second password 5678") });
    await setCredential(admin(), { id, credential: password("short one") });
    const [first, second, third] = await credentialsOf(id);
    expect([first, second, third].map((row) => [row?.status, row?.hint])).toEqual([
      ["destroyed", "1234"],
      ["retired", "5678"],
      ["active", ""],
    ]);
    expect(first?.sealed).toBeNull();
    const sealed = third?.sealed ?? Buffer.alloc(0);
    expect(sealed.toString("latin1")).not.toContain("short one");
    const open = (record: string, version: number) =>
      openForOrg(dataKeySource, { orgId: two.ours.id, record, version, kind: "password" }, sealed);
    expect(JSON.parse((await open(third?.id ?? "", 3)).toString("utf8"))).toEqual(password("short one"));
    await expect(open(second?.id ?? "", 3)).rejects.toMatchObject({ code: "unavailable" });
    await expect(open(third?.id ?? "", 2)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("keeps one credential in use when ten are stored at once", async () => {
    const { id } = await makeMail(two.ours);
    const texts = Array.from({ length: 10 }, (_, i) => `password number ${i}`);
    await Promise.all(texts.map((text) => setCredential(admin(), { id, credential: password(text) })));
    const rows = await credentialsOf(id);
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 11 }, (_, i) => i + 1));
    expect(rows.filter(({ status }) => status === "active").map(({ version }) => version)).toEqual([11]);
  });
});

describe("connection.get and connection.list", () => {
  fiveCases({
    command: getConnection,
    allowed: async () => {
      const { id } = await makeMail(two.ours);
      return { actor: two.ours.auditor.actor, input: { id }, check: (answer) => expect(answer).toMatchObject({ id }) };
    },
    invalid: async () => ({ actor: admin(), input: { id: "con" }, field: "id" }),
    forbidden: async () => ({
      actors: [two.ours.member.actor, two.ours.agent.actor],
      input: { id: (await makeWeb(two.ours)).id },
    }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await makeWeb(two.ours)).id } }),
    conflict: null,
  });

  it("never hold anything of a secret but its last four characters", async () => {
    const { id } = await makeMail(two.ours);
    const shown = JSON.stringify([await getConnection(admin(), { id }), await listConnections(admin(), {})]);
    expect(shown).not.toContain(PASSWORD);
    expect(shown).not.toContain("sealed");
    const events = await withOrgSql(two.ours.id, (q) =>
      q.query<{ canonical: Buffer }>("SELECT canonical FROM audit_event"),
    );
    for (const { canonical } of events.rows) expect(canonical.toString("utf8")).not.toContain(PASSWORD);
  });
});
