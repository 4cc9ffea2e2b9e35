"use client";

import { changeMails } from "@/app/_ui/actions";
import { DoButton } from "@/app/_ui/do-button";

type Props = { approvalMails: boolean; hasMailServer: boolean };

/** Whether one is mailed about approvals, and the way to change it. */
export function Mails({ approvalMails, hasMailServer }: Props) {
  return (
    <div className="grid gap-3">
      <p className="text-text2">
        {approvalMails
          ? "You get a mail with a link when an approval calls for you and your organization has no working Slack channel. It holds nothing of what is asked."
          : "You get no mails about approvals."}
        {hasMailServer ? null : " No mail is sent: the operator set no mail server (NOTIFY_SMTP_URL)."}
      </p>
      <div>
        <DoButton
          run={() => changeMails({ approvalMails: !approvalMails })}
          done={approvalMails ? "You get no more mails about approvals." : "You get mails about approvals."}
        >
          {approvalMails ? "Turn these mails off" : "Turn these mails on"}
        </DoButton>
      </div>
    </div>
  );
}
