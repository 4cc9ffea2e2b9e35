import { z } from "zod";
import { onChange } from "@/server/db/listen";
import type { AgentActor, MemberActor } from "@/server/domain/actor";
import { idOf } from "@/server/domain/ids";
import { sinceVersionSchema } from "@/server/domain/version";
import { command } from "@/server/services/command";
import { type Answer, answerOf, withholdContent } from "@/server/services/requests/answer";

/** Longest that a call waits, in seconds, and how often it looks where no notification came, in milliseconds. */
const MAX_WAIT_S = 60;
const POLL_MS = 500;

/**
 * A request's state, for its agent or for people. With `wait` and `after` it answers as soon as the version is newer
 * than `after`, or when the seconds are over.
 */
export const getToolRequest = command({
  name: "tool_request.get",
  callers: ["agent", "member"],
  permission: "request:read",
  input: z.strictObject({
    id: idOf("toolRequest"),
    wait: z.int().min(0).max(MAX_WAIT_S).optional(),
    after: sinceVersionSchema.optional(),
  }),
  run: get,
});

type GetInput = { id: string; wait?: number | undefined; after?: number | undefined };

async function get(actor: AgentActor | MemberActor, { id, wait = 0, after = 0 }: GetInput): Promise<Answer> {
  const read = async () =>
    withheld(actor, await answerOf(actor.orgId, id, actor.kind === "agent" ? { agentId: actor.agentId } : {}));
  const first = await read();
  if (wait === 0 || first.version > after) return first;
  const untilMs = performance.now() + wait * 1000;
  for (;;) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return read();
    await changeOrPause(actor.orgId, id, Math.min(leftMs, POLL_MS));
    const now = await read();
    if (now.version > after) return now;
  }
}

function withheld(actor: AgentActor | MemberActor, answer: Answer): Answer {
  return actor.kind === "agent" || actor.permissions.has("content:read") ? answer : withholdContent(answer);
}

function changeOrPause(orgId: string, id: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stop = onChange(orgId, (change) => {
      if (change.kind === "request" && change.id === id) done();
    });
  });
}
