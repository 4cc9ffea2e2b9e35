import { router } from "@/server/trpc/init";

/** Every procedure there is. tRPC, /api/v1, OpenAPI and the matrix test of callers are made from this list. */
export const appRouter = router({});
export type AppRouter = typeof appRouter;
