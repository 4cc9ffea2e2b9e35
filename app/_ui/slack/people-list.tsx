"use client";

import { unlinkSlackPerson } from "@/app/_ui/actions";
import { At } from "@/app/_ui/clock";
import { DoButton } from "@/app/_ui/do-button";
import { SafeText } from "@/app/_ui/safe-text";
import type { SlackLinkView } from "@/server/services/slack/links";

/** Who is who in the connected workspaces. People link themselves; an admin can only end it. */
export function PeopleList({ links }: { links: readonly SlackLinkView[] }) {
  if (links.length === 0)
    return <p className="text-text2">Nobody is linked yet. Everyone links themselves, on this page.</p>;
  return (
    <ul className="card divide-y divide-line" aria-label="Linked people">
      {links.map((link) => (
        <li key={`${link.teamId} ${link.userId}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
          <span className="min-w-0 flex-1">
            <strong>
              <SafeText text={link.member.name} oneLine />
            </strong>{" "}
            is <code>{link.userId}</code> in <SafeText text={link.workspace || link.teamId} oneLine />
            <span className="block text-sm text-text3">
              linked <At time={link.linkedAt} />
            </span>
          </span>
          <DoButton
            run={() => unlinkSlackPerson(link.teamId, link.member.id)}
            done="Unlinked: what that person presses in Slack decides nothing."
          >
            Unlink<span className="sr-only"> {link.member.name}</span>
          </DoButton>
        </li>
      ))}
    </ul>
  );
}
