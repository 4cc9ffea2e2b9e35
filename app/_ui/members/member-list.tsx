import { SetAbsence } from "@/app/_ui/absences/absence-form";
import type { Choice } from "@/app/_ui/form/fields";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { MemberView } from "@/server/services/identity/members/member-view";
import { EditMember, NewLink } from "./member-form";
import { GiveRight, type RightChoices } from "./right-form";

type Props = { members: readonly MemberView[]; mayManage: boolean; viewerId: string; choices: RightChoices };

export function MemberList({ members, mayManage, viewerId, choices }: Props) {
  return (
    <table className="table table-stack">
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Role</th>
          <th scope="col">E-mail</th>
          <th scope="col">
            <span className="sr-only">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id} className={member.isDisabled ? "text-text3" : ""}>
            <td>
              <span className="flex flex-wrap items-center gap-2">
                <strong>
                  <SafeText text={member.name} oneLine />
                </strong>
                {member.id === viewerId ? <span className="text-text3">you</span> : null}
                <MemberState member={member} />
              </span>
            </td>
            <td data-label="Role">{member.role}</td>
            <td data-label="E-mail">
              <SafeText text={member.email} oneLine mono />
            </td>
            <td>
              {mayManage ? (
                <MemberActions member={member} choices={choices} delegates={delegatesOf(members, member)} />
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A right to approve is for who has no deciding role, and is here. */
type ActionProps = { member: MemberView; choices: RightChoices; delegates: readonly Choice[] };

function MemberActions({ member, choices, delegates }: ActionProps) {
  const isHere = !member.isDisabled;
  return (
    <span className="flex flex-wrap gap-2">
      <EditMember member={member} />
      {isHere ? <NewLink member={member} /> : null}
      {isHere && member.role !== "auditor" && delegates.length > 0 ? (
        <SetAbsence member={member} delegates={delegates} />
      ) : null}
      {isHere && member.role === "member" ? <GiveRight member={member} choices={choices} /> : null}
    </span>
  );
}

/** Others who are here and may decide; the server says which of them may decide as much. */
function delegatesOf(members: readonly MemberView[], { id }: MemberView): Choice[] {
  const offered = members.filter((one) => one.id !== id && !one.isDisabled && !one.isInvited && one.role !== "auditor");
  return offered.map(({ id: value, name, role }) => ({ value, label: `${name} (${role})` }));
}

function MemberState({ member }: { member: MemberView }) {
  if (member.isDisabled) return <Pill tone="quiet">disabled</Pill>;
  if (member.isInvited) return <Pill tone="info">invited</Pill>;
  return member.isLocked ? <Pill tone="wait">locked</Pill> : null;
}
