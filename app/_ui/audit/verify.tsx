"use client";

import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { formatCount } from "@/app/_lib/format";
import { verifyAudit } from "@/app/_ui/actions";

type Report = { intact: boolean; entries: number; firstFault?: { index: number; kind: string } };

const FAULT_WORDS: Readonly<Record<string, string>> = {
  changed: "was changed",
  removed: "was removed",
  reordered: "is not in its place",
  inserted: "was put in later",
  truncated: "and what follows was cut off",
};

/** Recomputes the whole chain on the server and says what came of it. */
export function VerifyAudit() {
  const [report, setReport] = useState<Report>();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const run = async () => {
    if (busy) return;
    setBusy(true);
    const outcome = await verifyAudit();
    setBusy(false);
    setProblem(outcome.ok ? "" : outcome.message);
    setReport(outcome.ok ? outcome.value : undefined);
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <button type="button" className="btn" onClick={() => void run()} aria-disabled={busy}>
        {busy ? "Verifying" : "Verify the log"}
      </button>
      <p role="status" className="min-w-0">
        {report ? <ReportLine report={report} /> : null}
      </p>
      <p role="alert" className="text-stop empty:hidden">
        {problem}
      </p>
    </div>
  );
}

function ReportLine({ report }: { report: Report }) {
  if (report.intact) {
    return (
      <span className="flex items-center gap-2 text-ok">
        <ShieldCheck size={16} strokeWidth={1.75} aria-hidden />
        Intact: {formatCount(report.entries)} entries recomputed just now
      </span>
    );
  }
  const { index, kind } = report.firstFault ?? { index: 0, kind: "changed" };
  return (
    <span className="flex items-center gap-2 font-semibold text-stop">
      <ShieldAlert size={16} strokeWidth={1.75} aria-hidden />
      Not intact: entry #{formatCount(index)} {FAULT_WORDS[kind] ?? kind}
    </span>
  );
}
