import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { MemberView } from "@/server/services/identity/members/member-view";
import { EditMember, NewLink } from "./member-form";

type Props = { members: readonly MemberView[]; mayManage: boolean; viewerId: string };

export function MemberList({ members, mayManage, viewerId }: Props) {
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
                <span className="flex flex-wrap gap-2">
                  <EditMember member={member} />
                  {member.isDisabled ? null : <NewLink member={member} />}
                </span>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function MemberState({ member }: { member: MemberView }) {
  if (member.isDisabled) return <Pill tone="quiet">disabled</Pill>;
  if (member.isInvited) return <Pill tone="info">invited</Pill>;
  return member.isLocked ? <Pill tone="wait">locked</Pill> : null;
}
