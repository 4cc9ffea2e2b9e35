import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { mailServerOf } from "@/server/connectors/smtp/mail-server";
import { type NoticeMail, postNotice } from "@/server/connectors/smtp/notify";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import { env, overrideEnv } from "@/server/env";
import { deliverMails } from "@/server/services/notices/deliver";
import type { Notice } from "@/server/services/people/notice";
import { tellPeople } from "@/server/services/people/tell-people";
import { submitToolRequest } from "@/server/services/requests/submit";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { closeMailServers, openedMail, type RunningSmtp, runSmtp, SMTP_PASSWORD, SMTP_USER } from "@/test/support/smtp";
import { registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

export const FROM = "notices@countersign.example";
type Asked = { readonly approvalId: string; readonly requestId: string };

/** An organization a test, whose deployment has a mail server of its own. */
export function mailFixture() {
  const file = join(mkdtempSync(join(tmpdir(), "countersign-mails-")), "effects");
  let database: TestDatabase;
  let org: TestOrganization;
  let grant: TestGrant;
  let smtp: RunningSmtp;
  const rows = async <R extends object>(text: string, values: readonly unknown[] = [], of = org): Promise<R[]> =>
    (await withOrgSql(of.id, (q) => q.query<R & Record<string, unknown>>(text, values))).rows;
  const startServer = async (options?: Parameters<typeof runSmtp>[0]) => {
    smtp = await openedMail(runSmtp(options));
    const login = `${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}`;
    overrideEnv({ NOTIFY_SMTP_URL: `smtp://${login}@localhost:${smtp.port}`, NOTIFY_FROM: FROM });
  };
  /** The real way out, trusting the test's certificate. */
  const post = (mail: NoticeMail) =>
    postNotice(mailServerOf(env().NOTIFY_SMTP_URL ?? "", FROM), mail, { ca: smtp.cert });
  const dueAgain = () => rows("UPDATE mail_notice SET lease_until = NULL");
  beforeAll(async () => {
    registerTestTools();
    database = await freshDatabase();
  });
  beforeEach(async () => {
    org = await testOrganization();
    grant = await testGrant(org, file);
    await rows("UPDATE agent SET autonomy = 'autonomous'");
    await startServer();
  });
  afterEach(closeMailServers);
  afterAll(async () => {
    await closePrisma();
    await closePools();
    await database.drop();
  });
  return {
    org: () => org,
    mails: () => smtp.mails,
    rows,
    startServer,
    post,
    dueAgain,
    deliver: () => deliverMails(org.id, post),
    /** Whatever is due goes out now, however often it failed before. */
    sendAll: async () => {
      await dueAgain();
      return deliverMails(org.id, post);
    },
    mailed: () => smtp.mails.map(({ to }) => to[0]).sort(),
    statuses: async () =>
      (await rows<{ status: string }>("SELECT status FROM mail_notice")).map(({ status }) => status).sort(),
    ask: async (args: object = { target: "a" }): Promise<Asked> => {
      const call = { action: "test.final", connection: grant.connectionId, arguments: args as never };
      const answer = await submitToolRequest(org.agent.actor, call);
      return { approvalId: answer.approval?.id ?? "", requestId: answer.id };
    },
    tell: (asked: Asked, kind: Exclude<Notice["kind"], "outcome_unknown">) =>
      tellPeople({ kind, organizationId: org.id, ...asked }),
    /** As if an admin had connected a workspace; answers its id. */
    connectSlack: async () => {
      const teamId = `T${org.id.slice(-8)}`;
      await rows(
        `INSERT INTO slack_workspace (org_id, team_id, bot_id, bot_user_id, channel_id, is_open_channel, sealed_token, connected_by)
         VALUES (app.org_id(), $1, 'B1', 'U1', 'C1', false, 'x', $2)`,
        [teamId, org.owner.id],
      );
      return teamId;
    },
  };
}
