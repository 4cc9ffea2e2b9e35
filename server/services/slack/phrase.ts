import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { slackPhraseSchema } from "@/server/domain/slack-phrase";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { openJson, sealJson } from "@/server/services/gateway/content";

/** As it is stored; it is opened outside of the transaction. */
export async function readSealedPhrase(q: OrgSql): Promise<Buffer | null> {
  const { rows } = await q.query<{ sealed: Buffer | null }>(
    "SELECT sealed_slack_phrase AS sealed FROM organization WHERE id = app.org_id()",
  );
  return rows[0]?.sealed ?? null;
}

/** The phrase that `readSealedPhrase` found; null where none is set. */
export async function openPhrase(orgId: string, sealed: Buffer | null): Promise<string | null> {
  return sealed === null ? null : slackPhraseSchema.parse(await openJson(orgId, orgId, "slack_phrase", sealed));
}

/** The phrase by which people know a card of ours, for those who decide. */
export const getSlackPhrase = command({
  name: "slack.get_phrase",
  callers: ["member"],
  permission: "approval:decide",
  input: z.strictObject({}),
  run: async ({ orgId }) => ({ phrase: await openPhrase(orgId, await withOrgSql(orgId, readSealedPhrase)) }),
});

/** Sets the phrase, or none. The log says that it changed and never what it is. */
export const changeSlackPhrase = command({
  name: "slack.change_phrase",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({ phrase: slackPhraseSchema.nullable() }),
  run: async (actor, { phrase }) => {
    const sealed = phrase === null ? null : await sealJson(actor.orgId, actor.orgId, "slack_phrase", phrase);
    return withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ now: Date }>(
        "UPDATE organization SET sealed_slack_phrase = $1 WHERE id = app.org_id() RETURNING clock_timestamp() AS now",
        [sealed],
      );
      const [row] = rows;
      if (row === undefined) throw new Error("an actor's organization exists");
      await auditSql(q, { type: "organization.changed", actor, at: row.now, fields: { changed: ["slackPhrase"] } });
      return { phrase };
    });
  },
});

/** The answer, as OpenAPI describes it. */
export const phraseSchema = z.strictObject({ phrase: z.string().nullable() });
