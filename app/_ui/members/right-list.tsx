import { Empty } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { RightView } from "@/server/services/approval-rights/right-view";
import { WithdrawRight } from "./withdraw-right";

type Props = { rights: readonly RightView[]; mayManage: boolean };

/** Who may approve without a deciding role, and what. */
export function RightList({ rights, mayManage }: Props) {
  if (rights.length === 0) {
    return (
      <Empty card>Nobody approves by a right of their own. Approvers, admins and owners approve by their role.</Empty>
    );
  }
  return (
    <ul className="card divide-y divide-line" aria-label="Rights to approve">
      {rights.map((right) => (
        <li key={right.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
          <span className="grid min-w-0 flex-1 gap-0.5">
            <span className="flex flex-wrap items-center gap-2">
              <strong>
                <SafeText text={right.member.name} oneLine />
              </strong>
              <Pill tone={right.maxRisk === "high" ? "stop" : "wait"}>risk up to {right.maxRisk}</Pill>
            </span>
            <span className="text-text2 wrap-anywhere">
              <SafeText text={scopeWords(right)} oneLine />
            </span>
            <span className="text-sm text-text3">
              Given by <SafeText text={right.givenBy.name} oneLine />, <At time={right.givenAt} />
            </span>
          </span>
          {mayManage ? <WithdrawRight id={right.id} name={right.member.name} /> : null}
        </li>
      ))}
    </ul>
  );
}

function scopeWords({ actions, connections, departments }: RightView): string {
  const names = (list: RightView["departments"]) => list?.map(({ name }) => name).join(", ");
  return [
    actions ? `actions ${actions.join(", ")}` : "any action",
    connections ? `connections ${names(connections)}` : "any connection",
    departments ? `departments ${names(departments)}` : "any department",
  ].join(" · ");
}
