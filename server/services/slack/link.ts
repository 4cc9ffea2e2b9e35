import { createHash, randomInt } from "node:crypto";
import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { command } from "@/server/services/command";
import { teamIdSchema, userIdSchema } from "@/server/services/slack/slack-ids";
import { storeLink } from "@/server/services/slack/store-link";

/** Nobody mistakes these for one another. Sixteen of them hold 80 random bits. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 16;
const hashOf = (code: string) => createHash("sha256").update(code, "utf8").digest();
const newCode = () => Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");

/**
 * Makes the code with which a person who is signed in here proves in Slack who they are. It is in the answer and
 * nowhere else, good once and for ten minutes. No token can make one.
 */
export const createLinkCode = command({
  name: "slack.create_link_code",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({}),
  run: (actor) =>
    withOrgSql(actor.orgId, async (q) => {
      const code = newCode();
      const { rows } = await q.query<{ expires_at: Date }>(
        `INSERT INTO slack_link_code (org_id, secret_hash, member_id, expires_at)
         VALUES (app.org_id(), $1, $2, clock_timestamp() + interval '10 minutes') RETURNING expires_at`,
        [hashOf(code), actor.memberId],
      );
      const expiresAt = rows[0]?.expires_at;
      if (expiresAt === undefined) throw new Error("the code was not stored");
      return { code, expiresAt };
    }),
});

/** The answer, as OpenAPI describes it. */
export const linkCodeSchema = z.strictObject({
  code: z.string().describe("Type /countersign link and this code in Slack."),
  expiresAt: z.iso.datetime(),
});

const redeemInput = z.strictObject({ teamId: teamIdSchema, userId: userIdSchema, code: z.string().max(100) });

/**
 * Links the person of a workspace who presents a code to the member who made it, in place of any link that either had.
 * Slack vouches for the person, the code for the member. Throws `link_code_invalid`.
 */
export const redeemLinkCode = command({
  name: "slack.redeem_link_code",
  callers: ["system"],
  permission: "system:run",
  input: redeemInput,
  run: (actor, { teamId, userId, code }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ member_id: string; used_at: Date }>(
        `UPDATE slack_link_code c SET used_at = clock_timestamp() FROM member m
         WHERE c.secret_hash = $1 AND c.used_at IS NULL AND c.expires_at > clock_timestamp()
           AND m.org_id = c.org_id AND m.id = c.member_id AND m.disabled_at IS NULL
         RETURNING c.member_id, c.used_at`,
        [hashOf(code.trim().toUpperCase())],
      );
      const [used] = rows;
      if (used === undefined) {
        throw new AppError("refused", "This code is not valid, or was used, or is too old. Make a new one.", {
          reason: "link_code_invalid",
        });
      }
      const memberId = used.member_id;
      await storeLink(q, actor, { teamId, userId, memberId, at: used.used_at });
      return { memberId };
    }),
});
