import type { Response as Reply } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { errand } from '../../api/errand.ts';
import { instanceRefreshMs } from '../../api/instance-queries.ts';
import { usePages } from '../../api/paging.ts';
import { keys } from '../../api/query-keys.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Section } from '../../ui/display/card.tsx';
import { linkClasses } from '../../ui/display/link.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { EmptyState } from '../../ui/feedback/state.tsx';
import { PagedTable } from '../../ui/display/paged-table.tsx';

type Queue = Reply<'instance.listQueues'>['data'][number];

/** The accounts with active tasks, first those that have waited longest for a worker. */
export function Queues() {
  const { instance } = useText();
  const format = useFormat();
  const pages = usePages<Queue>([...keys.instance, 'queues'], {
    fetchPage: (cursor, signal) => errand.instance.listQueues({ limit: 20, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: instanceRefreshMs,
  });
  const columns: Column<Queue>[] = [
    {
      key: 'account',
      title: instance.account,
      render: ({ account_id: accountId, email }) => (
        <Link to="/instance/accounts/$accountId" params={{ accountId }} className={linkClasses}>
          {email}
        </Link>
      ),
    },
    { key: 'active', title: instance.active, kind: 'number', render: ({ active_tasks: count }) => format.number(count) },
    { key: 'queued', title: instance.queued, kind: 'number', render: ({ queued_tasks: count }) => format.number(count) },
    {
      key: 'wait',
      title: instance.waitedFor,
      kind: 'number',
      render: ({ queued_tasks: count, queue_age_seconds: age }) => (count === 0 ? '–' : format.duration(age * 1000)),
    },
  ];
  return (
    <Section title={instance.queues} lead={instance.queuesLead}>
      <PagedTable
        pages={pages}
        caption={instance.queues}
        columns={columns}
        keyOf={({ account_id: id }) => id}
        empty={<EmptyState title={instance.noQueues}>{instance.noQueuesBody}</EmptyState>}
      />
    </Section>
  );
}
