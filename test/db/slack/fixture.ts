import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import type { SlackMode } from "@/server/domain/slack-app";
import { submitToolRequest } from "@/server/services/requests/submit";
import { APPROVE, REJECT } from "@/slack/card/card";
import { CardLater, syncCards } from "@/slack/deliver";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { type RunningSlackTest, runSlack } from "@/test/support/slack";
import { registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

export type Posted = { readonly approvalId: string; readonly requestId: string; readonly ts: string };

/** One organization that connected a workspace, with its people linked, and a card for each request. */
export function slackFixture(mode: SlackMode = "http", perSecond = 10_000) {
  const file = join(mkdtempSync(join(tmpdir(), "countersign-slack-")), "effects");
  let database: TestDatabase;
  let running: RunningSlackTest;
  let org: TestOrganization;
  let grant: TestGrant;
  beforeAll(async () => {
    registerTestTools();
    database = await freshDatabase();
    running = await runSlack({ mode, perSecond });
    org = await testOrganization();
    grant = await testGrant(org, file);
    await running.connect(org);
    await withOrgSql(org.id, (q) => q.query("UPDATE agent SET pending_limit = 1000, autonomy = 'autonomous'"));
    const people = { U_OWNER: org.owner, U_ADMIN: org.admin, U_APPROVER: org.approver, U_MEMBER: org.member };
    running.slack.set("U_REQUESTER", {});
    for (const [userId, person] of Object.entries({ ...people, U_REQUESTER: org.agentOwner }))
      await running.link(userId, person);
  });
  beforeEach(() => {
    running.slack.messages.splice(0);
    running.slack.calls.splice(0);
  });
  afterAll(async () => {
    await running.close();
    await closePrisma();
    await closePools();
    await database.drop();
  });
  const rows = async <R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await withOrgSql(org.id, (q) => q.query<R & Record<string, unknown>>(text, values))).rows;
  const submit = async (action = "test.final", args: object = { target: "a" }) => {
    const answer = await submitToolRequest(org.agent.actor, {
      action,
      connection: grant.connectionId,
      arguments: args as never,
    });
    return { approvalId: answer.approval?.id ?? "", requestId: answer.id };
  };
  /** Brings a card up to date however long Slack, or whoever has it, makes one wait. */
  const retried = async (approvalId: string): Promise<void> => {
    for (;;) {
      try {
        return await syncCards(org.id, approvalId);
      } catch (error) {
        if (!(error instanceof CardLater)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  return {
    org: () => org,
    slack: () => running.slack,
    running: () => running,
    rows,
    submit,
    /** Asks, and posts the card. */
    post: async (action?: string, args?: object): Promise<Posted> => {
      const asked = await submit(action, args);
      await retried(asked.approvalId);
      const ts = running.slack.shown().at(-1)?.ts ?? "";
      return { ...asked, ts };
    },
    retried,
    approve: (ts: string, userId: string) => running.slack.click({ ts, actionId: APPROVE, userId }),
    reject: (ts: string, userId: string, reason?: string) =>
      running.slack.click({ ts, actionId: REJECT, userId, ...(reason ? { reason } : {}) }),
    decisions: (approvalId: string) =>
      rows<{ decision: string; via: string; credential_id: string; member_id: string; sealed_reason: Buffer | null }>(
        "SELECT * FROM decision WHERE approval_id = $1",
        [approvalId],
      ),
    statusOf: async (approvalId: string) =>
      (await rows<{ status: string }>("SELECT status FROM approval WHERE id = $1", [approvalId]))[0]?.status,
    /** What one person alone was told. */
    told: (userId: string) =>
      running.slack.messages.filter(({ onlyFor }) => onlyFor === userId).map(({ blocks }) => JSON.stringify(blocks)),
    /** The codes of refusals that the log holds of an approval. */
    refusals: async (approvalId: string) =>
      (
        await rows<{ canonical: Buffer }>(
          "SELECT canonical FROM audit_event WHERE type = 'approval.refused' ORDER BY id",
        )
      )
        .map(({ canonical }) => JSON.parse(canonical.toString("utf8")))
        .filter(({ fields }) => fields.approval === approvalId)
        .map(({ fields, actor }) => ({ code: fields.code, actor: actor.kind })),
    shown: (ts: string) => JSON.stringify(running.slack.shown().find((message) => message.ts === ts)?.blocks),
  };
}
