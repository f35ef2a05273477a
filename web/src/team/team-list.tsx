import { useSession } from '../api/session.ts';
import type { WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { RowAction } from '../ui/controls/row-action.tsx';
import { Badge } from '../ui/display/badge.tsx';
import { Card, Section } from '../ui/display/card.tsx';
import { Table } from '../ui/display/table.tsx';
import { CreateTeamForm } from './create-team.tsx';
import { useSwitchTeam } from './use-switch-team.ts';

type OwnTeam = WebResponse<'session.show'>['teams'][number];

/** All teams of the user, one of which is current, and a form for another. */
export function TeamList({ teams }: { teams: readonly OwnTeam[] }) {
  const { team: text } = useText();
  const current = useSession().data?.team?.id;
  const change = useSwitchTeam();
  const columns = [
    { key: 'name', title: text.name, render: ({ name }: OwnTeam) => name },
    { key: 'role', title: text.role, kind: 'short' as const, render: ({ role }: OwnTeam) => text.roles[role] },
    {
      key: 'actions',
      title: text.actions,
      kind: 'action' as const,
      render: ({ id, name }: OwnTeam) =>
        id === current ? (
          <Badge tone="good">{text.current}</Badge>
        ) : (
          <RowAction label={text.switchTo} name={name} isBusy={change.isPending} onClick={() => change.mutate(id)} />
        ),
    },
  ];
  return (
    <Section title={text.teams} lead={text.teamsLead}>
      <Table caption={text.teams} columns={columns} rows={[...teams]} keyOf={({ id }) => id} />
      <Card className="mt-4">
        <CreateTeamForm />
      </Card>
    </Section>
  );
}
