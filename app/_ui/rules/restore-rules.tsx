"use client";

import { useRouter } from "next/navigation";
import { restoreRules } from "@/app/_ui/actions";
import { ReasonDialog } from "@/app/_ui/reason-dialog";

type Props = { version: number; current: number };

/** Brings this version of the rules back. What waits is checked again by it before it runs. */
export function RestoreRules({ version, current }: Props) {
  const router = useRouter();
  const restore = async (reason: string) => {
    const outcome = await restoreRules({ version, current, reason });
    if (outcome.ok) router.push("/rules");
    return outcome;
  };
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn ml-auto">
          Bring v{version} back…
        </button>
      }
      title={`Bring v${version} back?`}
      confirm={`Bring v${version} back`}
      keep={`Keep v${current}`}
      reason={{ label: "Why, for the record", required: true }}
      onConfirm={restore}
    >
      <p>
        A new version, v{current + 1}, gets the rules of v{version}. Rules that are in force now and were not then are
        switched off, not deleted. What waits for a person is checked again before it runs.
      </p>
    </ReasonDialog>
  );
}
