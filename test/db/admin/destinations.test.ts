import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { listDestinations } from "@/server/services/destinations/list";
import { trustDestination } from "@/server/services/destinations/trust";
import { untrustDestination } from "@/server/services/destinations/untrust";
import { fiveCases } from "@/test/support/five-cases";
import { outsiders, recorded, twoOrganizations } from "./fixture";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
let count = 0;
const host = () => {
  count += 1;
  return { kind: "host", value: `api${count}.example.com` } as const;
};

describe("destination.trust", () => {
  fiveCases({
    command: trustDestination,
    allowed: async () => ({
      actor: admin(),
      input: { kind: "host", value: "API.example.com:443" },
      check: async (answer) => {
        expect(answer).toMatchObject({ kind: "host", value: "api.example.com" });
        const [entry] = (await recorded(two.ours.id, "destination.trusted")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ kind: "host", value: "api.example.com" });
      },
    }),
    invalid: async () => ({ actor: admin(), input: { kind: "email_domain", value: "com" }, field: "value" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: host() }),
    otherOrganization: null,
    conflict: async () => {
      const destination = host();
      await trustDestination(admin(), destination);
      return { actor: admin(), input: destination, reason: "already_exists" };
    },
  });

  it("records an address so that it can be erased: the chained bytes do not hold it", async () => {
    await trustDestination(admin(), { kind: "email_address", value: "Ada@Customer.example" });
    const [entry] = (await recorded(two.ours.id, "destination.trusted")).slice(-1);
    expect(JSON.stringify(entry)).not.toMatch(/ada@/i);
    const { rows } = await withOrgSql(two.ours.id, (q) =>
      q.query<{ value: string }>("SELECT value FROM audit_personal WHERE field = 'address'"),
    );
    expect(rows.map(({ value }) => value)).toContain("ada@customer.example");
  });
});

describe("destination.untrust", () => {
  const make = () => trustDestination(admin(), host());
  fiveCases({
    command: untrustDestination,
    allowed: async () => {
      const { id } = await make();
      return {
        actor: admin(),
        input: { id },
        check: async () => {
          expect((await listDestinations(admin(), {})).items.map((item) => item.id)).not.toContain(id);
        },
      };
    },
    invalid: async () => ({ actor: admin(), input: { id: "tru" }, field: "id" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: (await make()).id } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: null,
  });

  it("happens once: of two at once one finds nothing", async () => {
    const { id } = await make();
    const results = await Promise.allSettled([1, 2].map(() => untrustDestination(admin(), { id })));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
