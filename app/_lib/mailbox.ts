import "server-only";
import { z } from "zod";
import type { Mail } from "@/app/_ui/mailbox/mailbox";

const TIMEOUT_MS = 2_000;
const MOST = 50;

const text = z.string().max(200_000);
const itemSchema = z.object({
  to: z.union([text, z.array(text)]),
  subject: text,
  text,
  headers: z.record(z.string(), z.unknown()),
  receivedAt: z.iso.datetime({ offset: true }),
});
const mailboxSchema = z.object({ items: z.array(itemSchema) });

/** What the demo's mail server received, newest first; null where it does not answer as it should. */
export async function readMailbox(url: string): Promise<Mail[] | null> {
  try {
    const response = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const parsed = mailboxSchema.safeParse(await response.json());
    if (!parsed.success) return null;
    const mails = parsed.data.items.map(toMail);
    return mails.sort((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime()).slice(0, MOST);
  } catch {
    return null;
  }
}

function toMail({ to, subject, text: body, headers, receivedAt }: z.output<typeof itemSchema>, index: number): Mail {
  return {
    key: `${index}-${receivedAt}`,
    to: Array.isArray(to) ? to.join(", ") : to,
    subject,
    text: body,
    headers: Object.entries(headers).map(([name, value]) => ({
      name,
      value: typeof value === "string" ? value : JSON.stringify(value),
    })),
    receivedAt: new Date(receivedAt),
  };
}
