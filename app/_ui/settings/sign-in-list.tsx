"use client";

import { revokeOtherSignIns, revokeSignIn } from "@/app/_ui/actions";
import { Ago } from "@/app/_ui/clock";
import { DoButton } from "@/app/_ui/do-button";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";

export type SignInView = {
  id: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  isCurrent: boolean;
};

/** Where one is signed in, and the way to end it. */
export function SignInList({ signIns }: { signIns: readonly SignInView[] }) {
  return (
    <div className="grid gap-3">
      <ul className="card divide-y divide-line">
        {signIns.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="min-w-0 flex-1">
              <SafeText text={one.userAgent || "unknown browser"} oneLine />
              <span className="block text-sm text-text3">
                since <Ago at={one.createdAt} />, last seen <Ago at={one.lastSeenAt} />
              </span>
            </span>
            {one.isCurrent ? (
              <Pill tone="ok">this one</Pill>
            ) : (
              <DoButton run={() => revokeSignIn(one.id)} done="That sign-in ended.">
                End
              </DoButton>
            )}
          </li>
        ))}
      </ul>
      {signIns.length > 1 ? (
        <div>
          <DoButton run={revokeOtherSignIns} done="All other sign-ins ended.">
            End all others
          </DoButton>
        </div>
      ) : null}
    </div>
  );
}
