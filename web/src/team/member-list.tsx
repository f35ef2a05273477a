import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { membersOf } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { Select } from '../ui/controls/select.tsx';
import { RowAction } from '../ui/controls/row-action.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { Table } from '../ui/display/table.tsx';
import { Time } from '../ui/display/time.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';

type Member = WebResponse<'team.members'>['data'][number];
type Team = NonNullable<WebResponse<'session.show'>['team']>;

/** The role of a member; those who manage the team can change it. */
function RoleCell({ member, team, mayManage }: { member: Member; team: Team; mayManage: boolean }) {
  const { team: text } = useText();
  const change = useAction(
    (role: 'admin' | 'member') => callWeb('team.setRole', { team: team.id, member: member.account_id, role }),
    {
      changes: [keys.team, keys.session],
      onDone: () => showToast(text.roleChanged),
    },
  );
  if (!mayManage || member.role === 'owner') return text.roles[member.role];
  const options = (['member', 'admin'] as const).map((role) => ({ value: role, label: text.roles[role] }));
  return (
    <Select
      isQuiet
      className="-ml-2.5"
      aria-label={text.roleOf(member.email)}
      value={member.role}
      options={options}
      onValueChange={(role) => change.mutate(role)}
      disabled={change.isPending}
    />
  );
}

/** The members of the team. */
export function MemberList({ team }: { team: Team }) {
  const { team: text, twoStep } = useText();
  const accountId = useSession().data?.account.id;
  const members = useQuery(membersOf(team.id));
  const removal = useRemoval(({ account_id }: Member) => callWeb('team.remove', { team: team.id, member: account_id }), {
    changes: [keys.session, keys.team],
    describeDone: ({ account_id, email }) => (account_id === accountId ? text.left : text.removed(email)),
  });
  const isSelf = removal.item?.account_id === accountId;
  const mayManage = team.role !== 'member';
  const renderAction = (member: Member) => {
    const isOwn = member.account_id === accountId;
    if (member.role === 'owner' || (!isOwn && !mayManage)) return null;
    const label = isOwn ? text.leave : text.remove;
    return <RowAction label={label} name={member.email} onClick={() => removal.ask(member)} />;
  };
  const columns = [
    {
      key: 'member',
      title: text.member,
      render: (member: Member) => (member.account_id === accountId ? `${member.email} (${text.you})` : member.email),
    },
    {
      key: 'role',
      title: text.role,
      kind: 'short' as const,
      render: (member: Member) => <RoleCell member={member} team={team} mayManage={mayManage} />,
    },
    ...(mayManage
      ? [
          {
            key: 'two-step',
            title: twoStep.title,
            kind: 'short' as const,
            render: (member: Member) => (member.has_two_step === true ? twoStep.yes : twoStep.no),
          },
        ]
      : []),
    { key: 'since', title: text.since, render: (member: Member) => <Time ms={member.joined_at * 1000} /> },
    { key: 'actions', title: text.actions, kind: 'action' as const, render: renderAction },
  ];
  return (
    <Section title={text.members}>
      {members.error && <ErrorState error={members.error} onRetry={members.refetch} />}
      {members.isPending && <SkeletonList rows={2} />}
      {members.data && <Table caption={text.members} columns={columns} rows={members.data} keyOf={({ account_id: id }) => id} />}
      <RemovalDialog
        removal={removal}
        titleOf={({ email }) => (isSelf ? text.leaveTitle(team.name) : text.removeTitle(email))}
        confirmLabel={isSelf ? text.leave : text.remove}
      >
        {isSelf ? text.leaveBody : text.removeBody}
      </RemovalDialog>
    </Section>
  );
}
