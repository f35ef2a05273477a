import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';
import { invitationsOf } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { RowAction } from '../ui/controls/row-action.tsx';
import { Table } from '../ui/display/table.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { InviteForm } from './invite-form.tsx';

type Invitation = WebResponse<'team.invitations'>['data'][number];

/** Pending invitations, for users who may invite. */
export function InvitationList({ team }: { team: string }) {
  const { team: text } = useText();
  const format = useFormat();
  const invitations = useQuery(invitationsOf(team));
  const withdraw = useAction((email: string) => callWeb('team.withdraw', { team, email }), {
    changes: [keys.team],
    onDone: ({ email }) => showToast(text.withdrawn(email)),
  });
  const columns = [
    { key: 'email', title: text.email, render: ({ email }: Invitation) => email },
    { key: 'role', title: text.role, render: ({ role }: Invitation) => text.roles[role] },
    { key: 'expires', title: text.expires, render: ({ expires_at: endsAt }: Invitation) => format.date(endsAt * 1000) },
    {
      key: 'actions',
      title: text.actions,
      kind: 'action' as const,
      render: ({ email }: Invitation) => <RowAction label={text.withdraw} name={email} onClick={() => withdraw.mutate(email)} />,
    },
  ];
  return (
    <>
      <Section title={text.invite} lead={text.inviteLead}>
        <InviteForm team={team} />
      </Section>
      {invitations.error && <ErrorState error={invitations.error} onRetry={invitations.refetch} />}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <Section title={text.open}>
          <Table caption={text.open} columns={columns} rows={invitations.data} keyOf={({ email }) => email} />
        </Section>
      )}
    </>
  );
}
