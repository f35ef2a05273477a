import type { UsageRecord } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import { linkClasses } from '../ui/display/link.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { type Column } from '../ui/display/table.tsx';
import { PagedTable } from '../ui/display/paged-table.tsx';

const pageSize = 50;

function Subject({ record }: { record: UsageRecord }) {
  const { usage } = useText();
  const title = usage.titles[record.title] ?? record.title;
  if (record.task_id === '') return title;
  return (
    <Link to="/app/$taskId" params={{ taskId: record.task_id }} className={linkClasses}>
      {title}
    </Link>
  );
}

function useColumns(): Column<UsageRecord>[] {
  const { usage } = useText();
  const format = useFormat();
  return [
    { key: 'title', title: usage.subject, render: (record) => <Subject record={record} /> },
    {
      key: 'type',
      title: usage.type,
      render: ({ type }) => <Badge tone={type === 'cost' ? 'plain' : 'good'}>{usage.types[type]}</Badge>,
    },
    {
      key: 'time',
      title: usage.time,
      render: (record) => <span className="whitespace-nowrap">{format.minute(record.created_at * 1000)}</span>,
    },
    {
      key: 'credits',
      title: usage.credits,
      kind: 'number' as const,
      render: ({ credits }) => <span className={joinClasses(credits > 0 && 'text-accent')}>{format.signed(credits)}</span>,
    },
  ];
}

/** All credit transactions, newest first. */
export function Ledger() {
  const { usage } = useText();
  const columns = useColumns();
  const pages = usePages<UsageRecord>(keys.usage, {
    fetchPage: (cursor, signal) => errand.usage.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  return (
    <PagedTable
      pages={pages}
      skeleton={{ className: 'h-9' }}
      empty={<EmptyState title={usage.nothing}>{usage.nothingBody}</EmptyState>}
      caption={usage.ledger}
      columns={columns}
      keyOf={(record) => `${record.task_id} ${record.created_at} ${record.type} ${record.credits}`}
    />
  );
}
