import { Section } from "@/app/_ui/bits";
import type { ApproverSafetyView } from "@/server/services/approver-safety/get";
import { EditApproverSafety } from "./approver-safety-form";

type Props = { safety: ApproverSafetyView; mayManage: boolean; isOwner: boolean };

/** What the organization sets about its approvers, with a warning while an owner may decide what they asked. */
export function ApproverSafety({ safety, mayManage, isOwner }: Props) {
  return (
    <Section title="Approver safety" id="approver-safety">
      <p className="text-text2">
        {safety.secondWhenFast
          ? "Who approves faster than it could be read is followed by a second person."
          : "How fast somebody approves asks nobody else."}
      </p>
      {safety.ownerDecidesOwn ? <p className="notice notice-wait">{ownWords(safety)}</p> : null}
      <div>{mayManage ? <EditApproverSafety safety={safety} isOwner={isOwner} /> : null}</div>
    </Section>
  );
}

const ownWords = ({ isOwnerAlone }: ApproverSafetyView): string =>
  isOwnerAlone
    ? "The owner may decide what they asked, since nobody else can decide. No second person looks at it."
    : "An owner who is alone may decide what they asked. Somebody else can decide at the moment, so nobody may.";
