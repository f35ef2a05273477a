import { useQuery } from '@tanstack/react-query';
import { errand } from '../api/errand.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { type Column, Table } from '../ui/display/table.tsx';

const mostMembers = 100;

async function readMembers(signal: AbortSignal) {
  return (await errand.usage.teamLog({ sort_by: 'credits', limit: mostMembers }, { signal })).data;
}

type Member = Awaited<ReturnType<typeof readMembers>>[number];

/** The usage of each team member in the last 30 days. */
export function TeamUsage() {
  const { usage } = useText();
  const format = useFormat();
  const { data, error, refetch } = useQuery({ queryKey: ['team-usage'], queryFn: ({ signal }) => readMembers(signal) });
  const columns: Column<Member>[] = [
    { key: 'name', title: usage.member, render: (member) => member.email || member.user_name },
    { key: 'tasks', title: usage.tasks, kind: 'number' as const, render: (member) => format.number(member.task_count) },
    { key: 'credits', title: usage.credits, kind: 'number' as const, render: (member) => format.credits(member.credits) },
  ];
  return (
    <Section title={usage.team} lead={usage.teamLead}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList rows={3} className="h-9" />}
      {data && <Table caption={usage.team} columns={columns} rows={data} keyOf={(member) => member.user_id} />}
    </Section>
  );
}
