import { router } from "@/server/trpc/init";
import { agentsRouter } from "@/server/trpc/routers/agents";
import { budgetsRouter } from "@/server/trpc/routers/budgets";
import { connectionsRouter } from "@/server/trpc/routers/connections";
import { controlsRouter } from "@/server/trpc/routers/controls";
import { departmentsRouter } from "@/server/trpc/routers/departments";
import { destinationsRouter } from "@/server/trpc/routers/destinations";
import { grantsRouter } from "@/server/trpc/routers/grants";
import { meRouter } from "@/server/trpc/routers/me";
import { organizationRouter } from "@/server/trpc/routers/organization";
import { rulesRouter } from "@/server/trpc/routers/rules";

/** Every procedure there is. tRPC, /api/v1, OpenAPI and the matrix test of callers are made from this list. */
export const appRouter = router({
  agents: agentsRouter,
  budgets: budgetsRouter,
  connections: connectionsRouter,
  controls: controlsRouter,
  departments: departmentsRouter,
  destinations: destinationsRouter,
  grants: grantsRouter,
  organization: organizationRouter,
  rules: rulesRouter,
  me: meRouter,
});
export type AppRouter = typeof appRouter;
