import { Empty } from "@/app/_ui/bits";
import { Ago } from "@/app/_ui/clock";
import { TextBlock } from "@/app/_ui/exact/text-block";
import { SafeText } from "@/app/_ui/safe-text";

export type Mail = {
  key: string;
  to: string;
  subject: string;
  text: string;
  headers: readonly { name: string; value: string }[];
  receivedAt: Date;
};

/** What the demo's SMTP server has received, newest first: the other end of what was approved. */
export function MailboxView({ mails }: { mails: readonly Mail[] }) {
  if (mails.length === 0) {
    return (
      <Empty card>
        <p>No mail arrived yet. Approve one, wait for its undo window, and it appears here.</p>
      </Empty>
    );
  }
  return (
    <ul className="grid gap-3" aria-label="Mails">
      {mails.map((mail) => (
        <li key={mail.key} className="card grid gap-3 p-4">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h2 className="min-w-0 text-md font-semibold">
              <SafeText text={mail.subject} oneLine />
            </h2>
            <span className="text-text2">
              to <SafeText text={mail.to} oneLine mono />
            </span>
            <span className="ml-auto text-sm text-text3">
              <Ago at={mail.receivedAt} />
            </span>
          </div>
          <TextBlock text={mail.text} label="mail" />
          <details>
            <summary className="min-h-6 text-sm text-text3">Headers</summary>
            <dl className="facts mt-2">
              {mail.headers.map(({ name, value }) => (
                <div key={name} className="contents">
                  <dt>
                    <SafeText text={name} oneLine mono />
                  </dt>
                  <dd>
                    <SafeText text={value} mono />
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </li>
      ))}
    </ul>
  );
}
