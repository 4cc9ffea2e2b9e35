import MailComposer from "nodemailer/lib/mail-composer";
import type { EmailSendArgs } from "@/server/domain/actions/email-send";
import { domainOf } from "@/server/domain/destination";

/** The same for every attempt at one request, so that a mail sent twice can be seen to be one. */
export const messageIdOf = (requestId: string, from: string): string => `<${requestId}@${domainOf(from)}>`;

type Mail = { readonly args: EmailSendArgs; readonly from: string; readonly messageId: string };

/** The message as it is sent. Blind copies are in the envelope alone; no file or URL is ever read. */
export async function compose({ args, from, messageId }: Mail): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: "", address: from },
    to: args.to,
    ...(args.cc ? { cc: args.cc } : {}),
    subject: args.subject,
    text: args.text,
    ...(args.html === undefined ? {} : { html: args.html }),
    messageId,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
