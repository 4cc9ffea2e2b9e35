import { pageSchema } from "@/server/domain/page";
import { changeGrant } from "@/server/services/grants/change";
import { createGrant } from "@/server/services/grants/create";
import { getGrant } from "@/server/services/grants/get";
import { grantSchema } from "@/server/services/grants/grant-view";
import { listGrants } from "@/server/services/grants/list";
import { revokeGrant } from "@/server/services/grants/revoke";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Grants"] as const;

export const grantsRouter = router({
  list: procedureOf(listGrants, {
    method: "GET",
    path: "/grants",
    summary: "List grants, newest first; of one agent or over one connection if asked.",
    tags,
    output: pageSchema(grantSchema),
  }),
  get: procedureOf(getGrant, {
    method: "GET",
    path: "/grants/{id}",
    summary: "Read one grant.",
    tags,
    output: grantSchema,
  }),
  create: procedureOf(createGrant, {
    method: "POST",
    path: "/grants",
    summary: "Let an agent use actions over a connection. It reads unless writing is asked for.",
    tags,
    successStatuses: [201],
    output: grantSchema,
    example: {
      agentId: "agt_01JDXK3T9V5M2Q8R4W7Y6Z0ABC",
      connectionId: "con_01JDXK3T9V5M2Q8R4W7Y6Z0ABC",
      actions: ["http.request"],
      allow: {
        "http.request": {
          methods: ["GET"],
          schemes: ["https"],
          hosts: ["api.example.com"],
          ports: [443],
          pathPrefixes: ["/v1"],
        },
      },
    },
  }),
  change: procedureOf(changeGrant, {
    method: "PATCH",
    path: "/grants/{id}",
    summary: "Change what a grant allows. What waits is decided again before it runs.",
    tags,
    output: grantSchema,
    example: { version: 1, perDay: 100 },
  }),
  revoke: procedureOf(revokeGrant, {
    method: "POST",
    path: "/grants/{id}/revoke",
    summary: "End a grant for good.",
    tags,
    output: grantSchema,
  }),
});
