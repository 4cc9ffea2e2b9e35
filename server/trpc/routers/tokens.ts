import { revokedSchema } from "@/server/services/identity/self/sign-ins";
import {
  createToken,
  listTokens,
  newTokenSchema,
  revokeToken,
  tokensSchema,
} from "@/server/services/identity/self/tokens";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Tokens"] as const;

export const tokensRouter = router({
  list: procedureOf(listTokens, {
    method: "GET",
    path: "/me/tokens",
    summary: "List your tokens",
    tags,
    output: tokensSchema,
  }),
  create: procedureOf(createToken, {
    method: "POST",
    path: "/me/tokens",
    summary: "Make a token, shown once",
    tags,
    successStatuses: [201],
    output: newTokenSchema,
    example: { name: "reporting", scopes: ["read"], expiresInDays: 30 },
  }),
  revoke: procedureOf(revokeToken, {
    method: "POST",
    path: "/me/tokens/{id}/revoke",
    summary: "End one of your tokens",
    tags,
    output: revokedSchema,
  }),
});
