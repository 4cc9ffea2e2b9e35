import { cron } from "inngest";
import { inngest } from "@/inngest/client";
import { sweepMails } from "@/server/services/notices/deliver";

/** Mails what is still to be mailed: notices put down with what they tell of, and those that the server did not take. */
export const mailNotices = inngest.createFunction(
  { id: "mail-notices", triggers: [cron("* * * * *")], retries: 0 },
  ({ step }) => step.run("mail", () => sweepMails()),
);
