import { Section } from "@/app/_ui/bits";
import type { ApproverSafetyView } from "@/server/services/approver-safety/get";
import { EditApproverSafety } from "./approver-safety-form";

type Props = { safety: ApproverSafetyView; mayManage: boolean; isOwner: boolean };

/** Whether an owner may decide what they asked, with a warning while that is on. An owner alone switches it on. */
export function ApproverSafety({ safety, mayManage, isOwner }: Props) {
  const mayEdit = mayManage && (isOwner || safety.ownerDecidesOwn);
  return (
    <Section title="Approver safety" id="approver-safety">
      {safety.ownerDecidesOwn ? (
        <p className="notice notice-wait">{ownWords(safety)}</p>
      ) : (
        <p className="text-text2">Nobody decides what they asked.</p>
      )}
      <div>{mayEdit ? <EditApproverSafety safety={safety} /> : null}</div>
    </Section>
  );
}

const ownWords = ({ isOwnerAlone }: ApproverSafetyView): string =>
  isOwnerAlone
    ? "The owner may decide what they asked, since nobody else can decide. No second person looks at it."
    : "An owner who is alone may decide what they asked. Somebody else can decide at the moment, so nobody may.";
