import { expect, it } from "vitest";
import type { Actor } from "@/server/domain/actor";

type Command = (actor: Actor, input: never) => Promise<unknown>;
type Call = { readonly actor: Actor; readonly input: unknown };

/** What the five cases of one command need. Each is made afresh, so that no case leans on another. */
export type FiveCases = {
  readonly command: Command;
  readonly allowed: () => Promise<Call & { readonly check?: (answer: unknown) => Promise<void> | void }>;
  readonly invalid: () => Promise<Call & { readonly field: string }>;
  /** A member of the same organization without the right, and an agent of it. */
  readonly forbidden: () => Promise<{ readonly actors: readonly Actor[]; readonly input: unknown }>;
  /** Somebody with every right in another organization. Null where the command names nothing that could belong to one. */
  readonly otherOrganization: (() => Promise<Call & { readonly code?: "not_found" | "invalid" }>) | null;
  /** Null where the command changes nothing. */
  readonly conflict: (() => Promise<Call & { readonly reason: string }>) | null;
};

/** The same five cases for every command: allowed, invalid, forbidden, another organization, conflict. */
export function fiveCases(cases: FiveCases): void {
  const run = ({ actor, input }: Call) => cases.command(actor, input as never);

  it("does what it says for whoever may", async () => {
    const { check, ...call } = await cases.allowed();
    const answer = await run(call);
    await check?.(answer);
  });

  it("refuses what is not valid and names the field", async () => {
    const { field, ...call } = await cases.invalid();
    await expect(run(call)).rejects.toMatchObject({ code: "invalid", details: { field } });
    await expect(run({ ...call, input: { ...(call.input as object), unheardOf: 1 } })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it("refuses whoever may not, agents among them", async () => {
    const { actors, input } = await cases.forbidden();
    for (const actor of actors) await expect(run({ actor, input })).rejects.toMatchObject({ code: "forbidden" });
    expect(actors.some((actor) => actor.kind === "agent")).toBe(true);
  });

  if (cases.otherOrganization) {
    const other = cases.otherOrganization;
    it("finds nothing of another organization", async () => {
      const { code = "not_found", ...call } = await other();
      await expect(run(call)).rejects.toMatchObject({ code });
    });
  }

  if (cases.conflict) {
    const conflict = cases.conflict;
    it("refuses what is no longer so", async () => {
      const { reason, ...call } = await conflict();
      await expect(run(call)).rejects.toMatchObject({ code: "conflict", details: { reason } });
    });
  }
}
