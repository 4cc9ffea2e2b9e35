import { router } from "@/server/trpc/init";
import { meRouter } from "@/server/trpc/routers/me";

/** Every procedure there is. tRPC, /api/v1, OpenAPI and the matrix test of callers are made from this list. */
export const appRouter = router({
  me: meRouter,
});
export type AppRouter = typeof appRouter;
