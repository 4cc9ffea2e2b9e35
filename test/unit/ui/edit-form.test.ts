import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeEdit, editedFields, leftOutName } from "@/app/_lib/edit-form";
import { changesBetween, type Edits, refuseEdit } from "@/server/domain/edit";
import type { JsonObject, JsonValue } from "@/server/domain/json";

const editable: Edits = { to: "drop", text: "text", html: "optional_text", amount: "lower" };
const args: JsonObject = { to: ["a", "b", "a"], text: "one\r\ntwo", html: "<p>", amount: 12.5, from: "me" };

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A form as it is drawn for a call, with what somebody did to it. */
function formOf(call: JsonObject, change: Record<string, string | readonly string[]> = {}): FormData {
  const form = new FormData();
  const own = Object.fromEntries(
    Object.entries(call).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map((_, at) => `${at}`) : textOf(value).replaceAll("\r\n", "\n"),
    ]),
  );
  for (const [field, value] of Object.entries({ ...own, ...change })) {
    for (const one of [value].flat()) form.append(field, one);
  }
  return form;
}

const edited = (change: Record<string, string | readonly string[]>) =>
  composeEdit(args, editable, formOf(args, change));

describe("a form of edits", () => {
  it("that nobody touched is the call as it was, line ends and all", () => {
    expect(edited({})).toEqual(args);
    expect(editedFields(args, edited({}))).toEqual([]);
  });

  it("gives what was typed, ticked off and left out", () => {
    const next = edited({ to: ["1", "2"], text: "one\nthree", amount: "7.25", [leftOutName("html")]: "on" });
    expect(next).toEqual({ to: ["b", "a"], text: "one\r\nthree", amount: 7.25, from: "me" });
    expect(editedFields(args, next).map(({ field }) => field)).toEqual(["to", "text", "html", "amount"]);
  });

  it("keeps its hands from what may not be edited, whatever the form holds", () => {
    expect(edited({ from: "you", extra: "x" })).toEqual(args);
  });

  it("hands on an amount that is none, for the server to refuse", () => {
    expect(edited({ amount: "12,000" })).toMatchObject({ amount: "12,000" });
    expect(refuseEdit(editable, args, edited({ amount: "" }))).toEqual({ field: "amount", rule: "only_lower" });
  });

  it("never makes an edit that the server refuses as one too far, but for an amount", () => {
    const call = fc.record({ to: fc.array(fc.string()), text: fc.string(), html: fc.string(), amount: fc.nat() });
    const change = fc.record({ text: fc.string(), html: fc.string(), out: fc.boolean() });
    fc.assert(
      fc.property(call, change, fc.func(fc.boolean()), (before, { text, html, out }, keeps) => {
        const to = before.to.flatMap((entry, at) => (keeps(entry, at) ? [`${at}`] : []));
        const form = formOf(before, { to, text, html, ...(out ? { [leftOutName("html")]: "on" } : {}) });
        const next = composeEdit(before, editable, form);
        expect(refuseEdit(editable, before, next)).toBeNull();
        const named = (changes: readonly { field: string }[]) => changes.map(({ field }) => field).sort();
        expect(named(editedFields(before, next))).toEqual(named(changesBetween(before, next)));
      }),
    );
  });
});
