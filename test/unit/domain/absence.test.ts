import { describe, expect, it } from "vitest";
import { absenceFields } from "@/app/_ui/absences/absence-fields";
import { type Away, withStandIns } from "@/server/domain/absence";

const until = new Date("2027-01-04T08:00:00Z");
const here = (id: string) => ({ id, away: null as Away | null });
const out = (id: string, standIn: string | null) => ({
  id,
  away: { until, standIn: standIn === null ? null : { id: standIn, name: standIn } },
});
const ids = (people: readonly { id: string }[]) => people.map(({ id }) => id);

describe("whom to tell while somebody is out", () => {
  it("is who stands in, in the place of who is out, also from another stage", () => {
    const [ada, bo, cy] = [out("ada", "bo"), here("bo"), here("cy")];
    expect(ids(withStandIns([ada, cy], [ada, bo, cy]))).toEqual(["cy", "bo"]);
  });

  it("names nobody twice", () => {
    const [ada, eve, bo] = [out("ada", "bo"), out("eve", "bo"), here("bo")];
    expect(ids(withStandIns([ada, eve, bo], [ada, eve, bo]))).toEqual(["bo"]);
  });

  it("is nobody who could not decide it, is out too, or may no longer decide as much", () => {
    const cy = here("cy");
    expect(ids(withStandIns([out("ada", "bo"), cy], [out("ada", "bo"), cy]))).toEqual(["cy"]);
    expect(ids(withStandIns([out("ada", "bo"), cy], [out("ada", "bo"), out("bo", null), cy]))).toEqual(["cy"]);
    expect(ids(withStandIns([out("ada", null), cy], [out("ada", null), here("bo"), cy]))).toEqual(["cy"]);
  });

  it("is everybody who was called where nobody is left", () => {
    expect(ids(withStandIns([out("ada", null)], [out("ada", null)]))).toEqual(["ada"]);
    expect(withStandIns([], [])).toEqual([]);
  });
});

describe("what the form of an absence sends", () => {
  it("is instants, no start where none was given, and what cannot be read as it is", () => {
    const fields = absenceFields({ from: undefined, until: "2027-01-04T08:00", delegate: "mem_1" });
    expect(fields).toEqual({ until: new Date("2027-01-04T08:00").toISOString(), delegate: "mem_1" });
    expect(absenceFields({ from: "soon", until: undefined, delegate: undefined })).toMatchObject({
      from: "soon",
      until: "",
    });
  });
});
