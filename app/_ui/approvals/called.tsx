import { At } from "@/app/_ui/clock";
import type { ApprovalDetail } from "@/app/_ui/types";

const STAGES = { approver: "the approvers", admin: "the admins", owner: "the owners" } as const;

/** When people were reminded of what waits, and to which role it went on. */
export function Called({ approval: { remindedAt, escalated } }: { approval: ApprovalDetail }) {
  if (!remindedAt && !escalated) return null;
  return (
    <ul className="grid gap-1 text-text2">
      {remindedAt ? (
        <li>
          Reminded at <At time={remindedAt} />.
        </li>
      ) : null}
      {escalated ? (
        <li>
          Nobody decided, so it went on to {STAGES[escalated.to]} at <At time={escalated.at} />.
        </li>
      ) : null}
    </ul>
  );
}
