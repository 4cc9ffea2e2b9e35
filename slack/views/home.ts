import { cutText } from "@/server/domain/text";
import type { DecidedLine, HomeFacts, QueueLine } from "@/server/services/slack/home-facts";
import { type Block, buttons, data, decideUntil, header, sentence } from "@/slack/card/blocks";
import { OPEN, phraseOf } from "@/slack/card/card";
import { visibleLine } from "@/slack/card/visible-text";

export type HomeView = { readonly type: "home"; readonly blocks: readonly Block[] };

const MAX_NAME = 80;
const name = (text: string) => cutText(visibleLine(text), MAX_NAME);

const open = (id: string, words: string, url: string) => buttons(id, [{ id: OPEN, words, url }]);

function queued(line: QueueLine, publicUrl: string): Block[] {
  const what = `${line.risk} risk · ${name(line.action)} · ${name(line.agentName)} · over ${name(line.connectionName)}`;
  return [
    data("A person has to decide", what),
    line.isHeld ? sentence("A control holds it: the time to decide does not run.") : decideUntil(line.expiresAt),
    open(`open.${line.approvalId}`, "Open in Countersign", `${publicUrl}/approvals/${line.approvalId}`),
  ];
}

function decidedLine({ decision, action, agentName, status, at }: DecidedLine): string {
  const verb = decision === "approve" ? "approved" : "rejected";
  const since = status === "pending" ? ", waits for another person" : status === "voided" ? ", void since" : "";
  return `${verb} · ${name(action)} · ${name(agentName)} · ${at.toISOString().slice(0, 16).replace("T", " ")} UTC${since}`;
}

function more(count: number, publicUrl: string): Block[] {
  if (count <= 0) return [];
  return [sentence(`${count} more wait for you.`), open("open.all", "Open all", `${publicUrl}/approvals`)];
}

/** One's own queue with links, and what one decided lately. Nothing of the requests' content. */
export function homeView({ queue, waiting, decided, phrase }: HomeFacts, publicUrl: string): HomeView {
  return {
    type: "home",
    blocks: [
      ...phraseOf(phrase),
      header("Waits for you"),
      ...(queue.length === 0 ? [sentence("Nothing waits for you.")] : queue.flatMap((line) => queued(line, publicUrl))),
      ...more(waiting - queue.length, publicUrl),
      header("Decided by you lately"),
      decided.length === 0 ? sentence("Nothing yet.") : data("Newest first", decided.map(decidedLine).join("\n")),
    ],
  };
}

/** What somebody sees who can decide nothing here, and where that can be changed. */
export const closedHome = (words: string, publicUrl: string): HomeView => ({
  type: "home",
  blocks: [header("Countersign"), sentence(words), open("open.slack", "Open Countersign", `${publicUrl}/slack`)],
});
