import { pageSchema } from "@/server/domain/page";
import { changeConnection } from "@/server/services/connections/change";
import { connectionSchema } from "@/server/services/connections/connection-view";
import { createConnection } from "@/server/services/connections/create";
import { getConnection } from "@/server/services/connections/get";
import { listConnections } from "@/server/services/connections/list";
import { setCredential } from "@/server/services/connections/set-credential";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Connections"] as const;

export const connectionsRouter = router({
  list: procedureOf(listConnections, {
    method: "GET",
    path: "/connections",
    summary: "List connections, without what is in the vault.",
    tags,
    output: pageSchema(connectionSchema),
  }),
  get: procedureOf(getConnection, {
    method: "GET",
    path: "/connections/{id}",
    summary: "Read one connection, without what is in the vault.",
    tags,
    output: connectionSchema,
  }),
  create: procedureOf(createConnection, {
    method: "POST",
    path: "/connections",
    summary: "Link the organization to a provider.",
    tags,
    successStatuses: [201],
    output: connectionSchema,
    example: { provider: "http", name: "Orders API", config: { origins: ["https://api.example.com"] } },
  }),
  change: procedureOf(changeConnection, {
    method: "PATCH",
    path: "/connections/{id}",
    summary: "Change a connection whose settings are still those you saw.",
    tags,
    output: connectionSchema,
    example: { configVersion: 1, status: "suspended" },
  }),
  setCredential: procedureOf(setCredential, {
    method: "POST",
    path: "/connections/{id}/credential",
    summary: "Give a connection its credential, or another one. It is never shown again.",
    tags,
    output: connectionSchema,
    example: { credential: { kind: "header", name: "Authorization", value: "Bearer the-token" } },
  }),
});
