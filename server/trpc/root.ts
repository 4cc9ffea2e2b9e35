import { router } from "@/server/trpc/init";
import { absencesRouter } from "@/server/trpc/routers/absences";
import { agentsRouter } from "@/server/trpc/routers/agents";
import { approvalRightsRouter } from "@/server/trpc/routers/approval-rights";
import { approvalsRouter } from "@/server/trpc/routers/approvals";
import { approverSafetyRouter } from "@/server/trpc/routers/approver-safety";
import { auditRouter } from "@/server/trpc/routers/audit";
import { budgetsRouter } from "@/server/trpc/routers/budgets";
import { connectionsRouter } from "@/server/trpc/routers/connections";
import { controlsRouter } from "@/server/trpc/routers/controls";
import { departmentsRouter } from "@/server/trpc/routers/departments";
import { destinationsRouter } from "@/server/trpc/routers/destinations";
import { grantsRouter } from "@/server/trpc/routers/grants";
import { meRouter } from "@/server/trpc/routers/me";
import { membersRouter } from "@/server/trpc/routers/members";
import { organizationRouter } from "@/server/trpc/routers/organization";
import { rulesRouter } from "@/server/trpc/routers/rules";
import { slackRouter } from "@/server/trpc/routers/slack";
import { tokensRouter } from "@/server/trpc/routers/tokens";
import { toolRequestsRouter, toolsRouter } from "@/server/trpc/routers/tool-requests";

/** Every procedure there is. tRPC, /api/v1, OpenAPI and the matrix test of callers are made from this list. */
export const appRouter = router({
  absences: absencesRouter,
  agents: agentsRouter,
  approvals: approvalsRouter,
  approverSafety: approverSafetyRouter,
  audit: auditRouter,
  budgets: budgetsRouter,
  connections: connectionsRouter,
  controls: controlsRouter,
  departments: departmentsRouter,
  destinations: destinationsRouter,
  grants: grantsRouter,
  organization: organizationRouter,
  rules: rulesRouter,
  slack: slackRouter,
  me: meRouter,
  members: membersRouter,
  approvalRights: approvalRightsRouter,
  tokens: tokensRouter,
  toolRequests: toolRequestsRouter,
  tools: toolsRouter,
});
export type AppRouter = typeof appRouter;
