import { pageSchema } from "@/server/domain/page";
import { destinationSchema, listDestinations } from "@/server/services/destinations/list";
import { trustDestination } from "@/server/services/destinations/trust";
import { untrustDestination } from "@/server/services/destinations/untrust";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Trusted destinations"] as const;

export const destinationsRouter = router({
  list: procedureOf(listDestinations, {
    method: "GET",
    path: "/trusted-destinations",
    summary: "List the destinations that the organization trusts.",
    tags,
    output: pageSchema(destinationSchema),
  }),
  trust: procedureOf(trustDestination, {
    method: "POST",
    path: "/trusted-destinations",
    summary: "Trust a host, a mail domain or an address: what goes there is not outward.",
    tags,
    successStatuses: [201],
    output: destinationSchema,
    example: { kind: "host", value: "api.example.com" },
  }),
  untrust: procedureOf(untrustDestination, {
    method: "DELETE",
    path: "/trusted-destinations/{id}",
    summary: "End the trust in a destination.",
    tags,
    output: destinationSchema,
  }),
});
