import { auditPageSchema, auditReportSchema } from "@/server/services/audit/answer-schema";
import { exportAudit } from "@/server/services/audit/export";
import { listAudit } from "@/server/services/audit/list";
import { verifyAuditLog } from "@/server/services/audit/verify";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Audit"] as const;

export const auditRouter = router({
  list: procedureOf(listAudit, {
    method: "GET",
    path: "/audit",
    summary: "List audit entries, newest first, by who, what, when or request.",
    tags,
    output: auditPageSchema,
    example: { what: "approval", limit: 20 },
  }),
  verify: procedureOf(verifyAuditLog, {
    method: "GET",
    path: "/audit/verify",
    summary: "Recompute the whole log and name the first fault, if there is one.",
    tags,
    output: auditReportSchema,
  }),
  export: procedureOf(exportAudit, {
    method: "GET",
    path: "/audit/export",
    summary: "Download the sealed log in the order of its chain.",
    tags,
    isDownload: true,
    example: { format: "jsonl" },
  }),
});
