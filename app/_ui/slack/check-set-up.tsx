"use client";

import { CircleCheck, CircleX } from "lucide-react";
import { checkSlack } from "@/app/_ui/actions";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { SafeText } from "@/app/_ui/safe-text";

type Item = { name: string; isGood: boolean; found: string; next: string | null };

/** Asks Slack now, and says what is missing and what to do next. */
export function CheckSetUp({ teamId }: { teamId: string }) {
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Check the set-up
        </button>
      }
      title="Check the set-up"
      about="Slack is asked whether it takes the token, what the bot may do, and who can read the channel. Nothing is posted."
      submit="Check now"
      run={() => checkSlack(teamId)}
      result={(value) => <Findings items={(value as { items: readonly Item[] }).items} />}
      wide
    >
      {null}
    </FormDialog>
  );
}

function Findings({ items }: { items: readonly Item[] }) {
  const bad = items.filter(({ isGood }) => !isGood).length;
  return (
    <div className="grid gap-2">
      <p role="status">{bad === 0 ? "Everything is as it should be." : `${bad} of ${items.length} need something.`}</p>
      <ul className="grid gap-2" aria-label="What was checked">
        {items.map((item) => (
          <Finding key={item.name} item={item} />
        ))}
      </ul>
    </div>
  );
}

function Finding({ item: { name, isGood, found, next } }: { item: Item }) {
  const Icon = isGood ? CircleCheck : CircleX;
  return (
    <li className={`notice ${isGood ? "notice-ok" : "notice-stop"}`}>
      <strong>
        <Icon size={16} strokeWidth={1.75} aria-hidden className="mr-2 inline align-[-3px]" />
        {name}: {isGood ? "good" : "not yet"}.
      </strong>{" "}
      <SafeText text={found} />
      {next ? <span className="block">Next: {next}</span> : null}
    </li>
  );
}
