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
            <td>{mayManage ? <MemberActions member={member} choices={choices} /> : null}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A right to approve is for who has no deciding role, and is here. */
function MemberActions({ member, choices }: { member: MemberView; choices: RightChoices }) {
  const isHere = !member.isDisabled;
  return (
    <span className="flex flex-wrap gap-2">
      <EditMember member={member} />
      {isHere ? <NewLink member={member} /> : null}
      {isHere && member.role === "member" ? <GiveRight member={member} choices={choices} /> : null}
    </span>
  );
}

function MemberState({ member }: { member: MemberView }) {
  if (member.isDisabled) return <Pill tone="quiet">disabled</Pill>;
  if (member.isInvited) return <Pill tone="info">invited</Pill>;
  return member.isLocked ? <Pill tone="wait">locked</Pill> : null;
}
