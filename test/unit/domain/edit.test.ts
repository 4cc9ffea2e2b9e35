import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Change, changesBetween, type Edits, refuseEdit } from "@/server/domain/edit";
import type { JsonObject } from "@/server/domain/json";

const edits: Edits = { to: "drop", text: "text", html: "optional_text", amount: "lower" };
const call: JsonObject = {
  to: ["a@x.example", "b@x.example", "a@x.example"],
  text: "hello",
  html: "<p>",
  amount: "12.50",
  from: "me",
};

const edited = (change: Partial<Record<string, JsonObject[string]>>): JsonObject => {
  const next = { ...call, ...change };
  return Object.fromEntries(Object.entries(next).filter((entry) => entry[1] !== undefined)) as JsonObject;
};

describe("what may be edited", () => {
  it.each([
    ["nothing", {}],
    ["a text", { text: "hi" }],
    ["a text that the action can do without", { html: undefined }],
    ["fewer recipients", { to: ["b@x.example", "a@x.example"] }],
    ["no recipients", { to: [] }],
    ["a list left out", { to: undefined }],
    ["a lower amount", { amount: "12.499999" }],
    ["an amount of nothing", { amount: "0" }],
  ])("%s", (_name, change) => {
    expect(refuseEdit(edits, call, edited(change))).toBeNull();
  });

  it.each([
    ["another recipient", { to: ["c@x.example"] }, "to", "only_drop"],
    ["one more of the same", { to: ["a@x.example", "b@x.example", "a@x.example", "a@x.example"] }, "to", "only_drop"],
    ["another order", { to: ["b@x.example", "a@x.example", "b@x.example"] }, "to", "only_drop"],
    ["no list", { to: "a@x.example" }, "to", "only_drop"],
    ["a higher amount", { amount: "12.500001" }, "amount", "only_lower"],
    ["less than nothing", { amount: "-1" }, "amount", "only_lower"],
    ["an amount of another kind", { amount: 1 }, "amount", "only_lower"],
    ["an amount that cannot be read for certain", { amount: "1,5" }, "amount", "only_lower"],
    ["no amount", { amount: undefined }, "amount", "only_lower"],
    ["the same amount spelled anew", { amount: "12.5" }, "amount", "only_lower"],
    ["a text left out that the action needs", { text: undefined }, "text", "not_editable"],
    ["a text that is none", { text: ["hi"] }, "text", "not_editable"],
    ["an argument that no edit is declared for", { from: "you" }, "from", "not_editable"],
    ["an argument that was not there", { cc: ["a@x.example"] }, "cc", "not_editable"],
    ["a name that every object has", { constructor: "x" }, "constructor", "not_editable"],
  ])("but not %s", (_name, change, field, rule) => {
    expect(refuseEdit(edits, call, edited(change as JsonObject))).toEqual({ field, rule });
  });

  it("a text is not added where there was none", () => {
    const before = edited({ html: undefined });
    expect(refuseEdit(edits, before, { ...before, html: "x" })).toEqual({ field: "html", rule: "not_editable" });
  });

  it("numbers go down and no further than nothing", () => {
    const whole = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(whole, whole, (before, after) => {
        const refused = refuseEdit(edits, { amount: before }, { amount: after });
        expect(refused === null).toBe(before === after || (after >= 0 && after < before));
      }),
    );
  });

  it("a list passes exactly when its entries were taken from the other in order", () => {
    const list = fc.array(fc.constantFrom("a", "b", { n: 1 }, null), { maxLength: 6 });
    const some = list.chain((all) => fc.tuple(fc.constant(all), fc.subarray(all)));
    fc.assert(
      fc.property(some, ([all, kept]) => {
        expect(refuseEdit(edits, { to: all }, { to: kept })).toBeNull();
      }),
    );
    fc.assert(
      fc.property(list, fc.nat(6), (all, at) => {
        const more = [...all.slice(0, at), "new", ...all.slice(at)];
        expect(refuseEdit(edits, { to: all }, { to: more })).toEqual({ field: "to", rule: "only_drop" });
      }),
    );
  });
});

describe("changes", () => {
  it("name each argument that differs once, with what it was and is", () => {
    const expected: Change[] = [
      { field: "amount", before: "12.50", after: "3" },
      { field: "cc", after: ["c@x.example"] },
      { field: "text", before: "hello" },
    ];
    expect(changesBetween(call, edited({ amount: "3", text: undefined, cc: ["c@x.example"] }))).toEqual(expected);
  });

  it("are none between a call and itself, however its names are ordered", () => {
    const value = fc.dictionary(
      fc.string(),
      fc.jsonValue().filter((v) => !JSON.stringify(v).match(/e[+-]|-0|\d{16}|\\ud/i)),
    );
    fc.assert(
      fc.property(value, (object) => {
        const other = Object.fromEntries(Object.entries(object).reverse()) as JsonObject;
        expect(changesBetween(object as JsonObject, other)).toEqual([]);
      }),
    );
  });
});
