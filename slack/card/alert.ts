import { SLACK_PROBLEMS, type SlackProblem } from "@/server/domain/slack-problem";
import { cutText } from "@/server/domain/text";
import { buttons, data, header, moment, sentence } from "@/slack/card/blocks";
import { type Card, OPEN } from "@/slack/card/card";
import { visibleLine } from "@/slack/card/visible-text";

type Fields = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** An event that is told, with the names that belong to its ids. */
export type AlertFacts = {
  readonly event: { readonly type: string; readonly at: string; readonly fields: Fields };
  readonly actorName: string | null;
  readonly agentName: string | null;
};

export type AlertPlace = {
  readonly publicUrl: string;
  /** Whether people outside the organization, or everyone in it, can read the channel: then no names. */
  readonly isOpenChannel: boolean;
};

type Told = { readonly words: string; readonly path: string; readonly more?: string };

const MAX_NAME = 120;
const name = (text: unknown) => cutText(visibleLine(String(text)), MAX_NAME);

const isLockdown = ({ level }: Fields) => level === "lockdown";

function control({ control: which, enabled, subject }: Fields): Told {
  const path = "/controls";
  if (which === "read_only") {
    return { path, words: enabled ? "Read-only is on: effects are kept as proposals." : "Read-only is off." };
  }
  const words = enabled ? "An action is switched on again." : "An action is switched off.";
  return { path, words, ...(subject === undefined ? {} : { more: name(subject) }) };
}

function delivery({ problem }: Fields): Told {
  const path = "/slack";
  if (problem === "none") return { path, words: "Slack takes cards again. They come by themselves." };
  const known = SLACK_PROBLEMS[problem as SlackProblem];
  const why = known === undefined ? "" : ` ${known.what} ${known.next}`;
  return { path, words: `Slack takes no cards. Approvals go on in the web app.${why}` };
}

const rule =
  (words: string) =>
  (fields: Fields): Told => ({
    words,
    path: "/rules",
    ...(fields.name === undefined ? {} : { more: name(fields.name) }),
  });

const TOLD: Readonly<Record<string, (fields: Fields) => Told>> = {
  "control.activated": (fields) => ({
    words: isLockdown(fields) ? "Locked down: no call of any agent runs." : "Frozen: no effect of any agent starts.",
    path: "/controls",
  }),
  "control.released": (fields) => ({
    words: isLockdown(fields) ? "The lockdown was lifted." : "The freeze was lifted.",
    path: "/controls",
  }),
  "control.changed": control,
  "deployment.kill_switch": (fields) => ({
    words: isLockdown(fields)
      ? "The operator locked every organization down."
      : "The operator froze every organization.",
    path: "/controls",
  }),
  "agent.paused": () => ({ words: "An agent was paused.", path: "/agents" }),
  "agent.resumed": () => ({ words: "An agent goes on.", path: "/agents" }),
  "rule.created": rule("A rule was added."),
  "rule.changed": rule("A rule was changed."),
  "rules.restored": rule("An earlier set of rules is in force again."),
  "slack.problem": delivery,
  "slack.disconnected": ({ why }) => ({
    path: "/slack",
    words:
      why === "uninstalled"
        ? "The app was removed from a workspace of Slack."
        : "A workspace of Slack was disconnected.",
  }),
  "organization.changed": () => ({ words: "How much Slack may approve was changed.", path: "/settings" }),
  "approver_safety.changed": () => ({ words: "How approvers decide was changed.", path: "/members/approvers" }),
  "approval_right.given": () => ({ words: "Somebody was given a right to approve.", path: "/members" }),
  "approval_right.withdrawn": () => ({ words: "A right to approve was withdrawn.", path: "/members" }),
  "audit.verified": ({ faultKind, faultIndex }) => ({
    words: "The audit log does not verify: a fault was found.",
    path: "/audit",
    ...(faultKind === undefined ? {} : { more: `${name(faultKind)} at entry ${Number(faultIndex ?? 0)}` }),
  }),
};

const UNKNOWN: Told = { words: "Something changed.", path: "/audit" };

/** What is told of an event: words of ours, and names. Never what agents ask for, nor anybody's reasons. */
export function alertCard({ event, actorName, agentName }: AlertFacts, place: AlertPlace): Card {
  const { words, path, more } = Object.hasOwn(TOLD, event.type)
    ? (TOLD[event.type]?.(event.fields) ?? UNKNOWN)
    : UNKNOWN;
  const about = [
    ...(more === undefined ? [] : [more]),
    ...(agentName === null ? [] : [`Agent: ${name(agentName)}`]),
    ...(actorName === null ? [] : [`By:    ${name(actorName)}`]),
  ];
  return {
    text: words,
    blocks: [
      header("Countersign"),
      sentence(words),
      ...(place.isOpenChannel || about.length === 0 ? [] : [data("About it", about.join("\n"))]),
      moment("At", new Date(event.at)),
      buttons("alert.open", [{ id: OPEN, words: "Open in Countersign", url: `${place.publicUrl}${path}` }]),
    ],
  };
}
