"use client";

import { changeSlackPhrase } from "@/app/_ui/actions";
import { TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";
import { SafeText } from "@/app/_ui/safe-text";

type Props = { phrase: string | null; mayChange: boolean };

/** The phrase by which people know a card of ours, and the way to change it. */
export function Phrase({ phrase, mayChange }: Props) {
  return (
    <div className="grid gap-3">
      {phrase === null ? (
        <p className="text-text2">
          No phrase is set. With one, each card in Slack carries words that only this app knows, so that an imitation
          shows.
        </p>
      ) : (
        <p>
          Each card in Slack carries “<SafeText text={phrase} oneLine />
          ”. A card without it is an imitation: do not follow its links.
        </p>
      )}
      {mayChange ? <ChangePhrase phrase={phrase} /> : null}
    </div>
  );
}

function ChangePhrase({ phrase }: { phrase: string | null }) {
  const run = (fields: FormData) => changeSlackPhrase({ phrase: text(fields, "phrase") ?? null });
  return (
    <div>
      <FormDialog
        trigger={
          <button type="button" className="btn">
            {phrase === null ? "Set a phrase" : "Change the phrase"}
          </button>
        }
        title="The phrase on cards"
        about="Whoever can read the channel knows it: change it when somebody leaves. Cards that are there keep the old one until they change. Public and shared channels never show it."
        submit="Save the phrase"
        run={run}
      >
        <TextField
          name="phrase"
          label="Phrase"
          maxLength={60}
          defaultValue={phrase ?? ""}
          hint="4 to 60 characters that strangers do not guess, such as: grey otter, north door. Empty removes it."
        />
      </FormDialog>
    </div>
  );
}
