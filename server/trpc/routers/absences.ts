import { z } from "zod";
import { absenceSchema } from "@/server/services/absences/absence-view";
import { endAbsence, endAbsenceFor } from "@/server/services/absences/end";
import { getOwnAbsence, listAbsences, ownAbsenceSchema } from "@/server/services/absences/list";
import { setAbsence, setAbsenceFor } from "@/server/services/absences/set";
import { procedureOf, router } from "@/server/trpc/init";

const ended = z.strictObject({ id: z.string() });

export const absencesRouter = router({
  list: procedureOf(listAbsences, {
    method: "GET",
    path: "/absences",
    summary: "List who is out or will be, and who stands in. Standing in gives nobody a say.",
    tags: ["Members"],
    output: z.strictObject({ items: z.array(absenceSchema) }),
  }),
  setFor: procedureOf(setAbsenceFor, {
    method: "POST",
    path: "/absences",
    summary: "Say that somebody is out, and who stands in.",
    tags: ["Members"],
    successStatuses: [201],
    output: absenceSchema,
    example: {
      member: "mem_01JD0000000000000000000000",
      until: "2027-01-04T08:00:00Z",
      delegate: "mem_01JD0000000000000000000001",
    },
  }),
  endFor: procedureOf(endAbsenceFor, {
    method: "DELETE",
    path: "/absences/{id}",
    summary: "End somebody's absence before its time.",
    tags: ["Members"],
    output: ended,
  }),
  own: procedureOf(getOwnAbsence, {
    method: "GET",
    path: "/me/absence",
    summary: "Say whether you are out, and who could stand in for you.",
    tags: ["Me"],
    output: ownAbsenceSchema,
  }),
  set: procedureOf(setAbsence, {
    method: "POST",
    path: "/me/absence",
    summary: "Say that you are out, and who stands in: somebody who may decide at least as much.",
    tags: ["Me"],
    successStatuses: [201],
    output: absenceSchema,
    example: { until: "2027-01-04T08:00:00Z", delegate: "mem_01JD0000000000000000000001" },
  }),
  end: procedureOf(endAbsence, {
    method: "POST",
    path: "/me/absence/end",
    summary: "End your absence before its time.",
    tags: ["Me"],
    output: ended,
  }),
});
