import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireActor } from "@/app/_lib/actor";
import { readMailbox } from "@/app/_lib/mailbox";
import { PageHead } from "@/app/_ui/bits";
import { MailboxView } from "@/app/_ui/mailbox/mailbox";
import { Page } from "@/app/_ui/pages";
import { env } from "@/server/env";

export const metadata: Metadata = { title: "Mailbox" };

export default async function MailboxPage() {
  await requireActor();
  const { DEMO, DEMO_MAILBOX_URL } = env();
  if (!DEMO || !DEMO_MAILBOX_URL) notFound();
  const mails = await readMailbox(DEMO_MAILBOX_URL);
  return (
    <Page>
      <PageHead title="Mailbox">
        <span className="text-text2">what the demo’s mail server received</span>
      </PageHead>
      {mails ? (
        <MailboxView mails={mails} />
      ) : (
        <p className="notice notice-wait">The demo’s mail server does not answer. Mails are not lost by that.</p>
      )}
    </Page>
  );
}
