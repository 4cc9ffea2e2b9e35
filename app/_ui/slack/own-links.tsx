"use client";

import { startSlackLink, unlinkSlackSelf } from "@/app/_ui/actions";
import { At } from "@/app/_ui/clock";
import { DoButton } from "@/app/_ui/do-button";
import { TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";
import { SafeText } from "@/app/_ui/safe-text";
import type { SlackLinkView } from "@/server/services/slack/links";
import { goToSlack } from "./go-to-slack";

type Props = { links: readonly SlackLinkView[]; canSignIn: boolean };

/** Who one is oneself in Slack, and how to become and stop being it. */
export function OwnLinks({ links, canSignIn }: Props) {
  return (
    <div className="grid gap-3">
      {links.length === 0 ? (
        <p className="text-text2">
          You are not linked. Once you are, you can decide in Slack what your role lets you decide.
        </p>
      ) : (
        <ul className="card divide-y divide-line" aria-label="Your links">
          {links.map((link) => (
            <li key={link.teamId} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
              <span className="min-w-0 flex-1">
                <strong>
                  <SafeText text={link.workspace || link.teamId} oneLine />
                </strong>{" "}
                as <code>{link.userId}</code>
                <span className="block text-sm text-text3">
                  linked <At time={link.linkedAt} />
                </span>
              </span>
              <DoButton run={() => unlinkSlackSelf(link.teamId)} done="Unlinked: you decide nothing in Slack any more.">
                Unlink<span className="sr-only"> {link.workspace}</span>
              </DoButton>
            </li>
          ))}
        </ul>
      )}
      {canSignIn ? (
        <div>
          <LinkBySignIn />
        </div>
      ) : (
        <p className="text-text2">Linking takes the app at Slack, which the operator has not named yet.</p>
      )}
    </div>
  );
}

function LinkBySignIn() {
  const run = async (fields: FormData) => goToSlack(await startSlackLink(text(fields, "password") ?? ""));
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn btn-ink">
          Link with Slack
        </button>
      }
      title="Link yourself in Slack"
      about="Your password first. Then Slack asks you to sign in there, and says here who you are."
      submit="Go on to Slack"
      run={run}
    >
      <TextField name="password" label="Your password" type="password" autoComplete="current-password" />
    </FormDialog>
  );
}
