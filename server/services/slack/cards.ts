import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { channelIdSchema, teamIdSchema } from "@/server/services/slack/slack-ids";

const place = { approvalId: idOf("approval"), teamId: teamIdSchema, channelId: channelIdSchema };
const LEASE = "20 seconds";

/** A card in the caller's hands until the lease ends. `isUnsure`: it may have been posted without being recorded. */
export type LeasedCard = {
  readonly ts: string | null;
  readonly status: string;
  readonly isUnsure: boolean;
  readonly createdAt: Date;
  /** When somebody had it last: what they may have posted is from before. */
  readonly touchedAt: Date;
  /** The state that the card shows. */
  readonly shown: string;
  /** The outcome and the last reminder that its thread has. */
  readonly told: string | null;
  readonly remindedAt: Date | null;
  /** A reply may have been posted that this does not know of. */
  readonly isReplyUnsure: boolean;
  /** Its thread has the arguments as a file, for certain or perhaps. */
  readonly hasFile: boolean;
  readonly isFileUnsure: boolean;
};
type Row = {
  ts: string | null;
  status: string;
  was_unsure: boolean;
  created_at: Date;
  touched_at: Date;
  shown: string;
  told: string | null;
  reminded_at: Date | null;
  is_reply_unsure: boolean;
  has_file: boolean;
  is_file_unsure: boolean;
};

/**
 * Takes the one card of an approval and channel, making its row if there is none; null while somebody else has it. Until
 * `recordCard`, whoever comes after a crash has to look whether a message was posted.
 */
export const leaseCard = command({
  name: "slack.lease_card",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject(place),
  run: async (actor, { approvalId, teamId, channelId }): Promise<LeasedCard | null> => {
    const { rows } = await withOrgSql(actor.orgId, async (q) => {
      await q.query(
        `INSERT INTO slack_card (org_id, approval_id, team_id, channel_id) VALUES (app.org_id(), $1, $2, $3) ON CONFLICT DO NOTHING`,
        [approvalId, teamId, channelId],
      );
      return q.query<Row>(
        `WITH card AS (SELECT * FROM slack_card WHERE approval_id = $1 AND team_id = $2 AND channel_id = $3
           AND (lease_until IS NULL OR lease_until <= clock_timestamp()) FOR UPDATE SKIP LOCKED)
         UPDATE slack_card c SET lease_until = clock_timestamp() + $4::interval, is_unsure = c.ts IS NULL, updated_at = clock_timestamp()
         FROM card WHERE c.org_id = card.org_id AND c.approval_id = card.approval_id AND c.team_id = card.team_id AND c.channel_id = card.channel_id
         RETURNING c.ts, c.status, card.is_unsure AS was_unsure, c.created_at, card.updated_at AS touched_at, c.shown, c.told, c.reminded_at, c.is_reply_unsure, c.has_file, c.is_file_unsure`,
        [approvalId, teamId, channelId, LEASE],
      );
    });
    const [row] = rows;
    if (row === undefined) return null;
    const { ts, status, shown, told } = row;
    const times = { createdAt: row.created_at, touchedAt: row.touched_at, remindedAt: row.reminded_at };
    const file = { hasFile: row.has_file, isFileUnsure: row.is_file_unsure };
    return { ts, status, shown, told, isUnsure: row.was_unsure, isReplyUnsure: row.is_reply_unsure, ...file, ...times };
  },
});

const recordInput = z.strictObject({
  ...place,
  ts: z.string().max(50).nullable(),
  status: z.string().max(20),
  shown: z.string().max(100),
  /** What Slack answered leaves it open whether a message is there. */
  isUnsure: z.boolean(),
});

/** Gives a leased card back with what Slack has now. */
export const recordCard = command({
  name: "slack.record_card",
  callers: ["system"],
  permission: "system:run",
  input: recordInput,
  run: async (actor, { approvalId, teamId, channelId, ts, status, shown, isUnsure }): Promise<void> => {
    await withOrgSql(actor.orgId, (q) =>
      q.query(
        `UPDATE slack_card SET ts = $4, status = $5, is_unsure = $6, shown = $7, lease_until = NULL, updated_at = clock_timestamp()
         WHERE approval_id = $1 AND team_id = $2 AND channel_id = $3`,
        [approvalId, teamId, channelId, ts, status, isUnsure, shown],
      ),
    );
  },
});

const replyInput = z.strictObject({
  ...place,
  told: z.string().max(20).nullable(),
  remindedAt: z.date().nullable(),
  isReplyUnsure: z.boolean(),
});

/** Notes what the thread of a leased card has: first that a reply is on its way, then that it is there. */
export const noteReply = command({
  name: "slack.note_reply",
  callers: ["system"],
  permission: "system:run",
  input: replyInput,
  run: async (actor, { approvalId, teamId, channelId, told, remindedAt, isReplyUnsure }): Promise<void> => {
    await withOrgSql(actor.orgId, (q) =>
      q.query(
        `UPDATE slack_card SET told = $4, reminded_at = $5, is_reply_unsure = $6, updated_at = clock_timestamp()
         WHERE approval_id = $1 AND team_id = $2 AND channel_id = $3`,
        [approvalId, teamId, channelId, told, remindedAt, isReplyUnsure],
      ),
    );
  },
});

/** An upload takes three calls: who holds the card holds it for as long. */
const FILE_LEASE = "30 seconds";

/**
 * Notes of a leased card's file first that it is on its way, then that it is there. False where the card is in nobody's
 * hands any more.
 */
export const noteFile = command({
  name: "slack.note_file",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ ...place, hasFile: z.boolean(), isFileUnsure: z.boolean() }),
  run: async (actor, { approvalId, teamId, channelId, hasFile, isFileUnsure }): Promise<boolean> => {
    const { rowCount } = await withOrgSql(actor.orgId, (q) =>
      q.query(
        `UPDATE slack_card SET has_file = $4, is_file_unsure = $5, lease_until = clock_timestamp() + $6::interval
         WHERE approval_id = $1 AND team_id = $2 AND channel_id = $3 AND lease_until > clock_timestamp()`,
        [approvalId, teamId, channelId, hasFile, isFileUnsure, FILE_LEASE],
      ),
    );
    return rowCount === 1;
  },
});
