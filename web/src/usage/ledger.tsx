import type { UsageRecord } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { Button } from '../ui/controls/button.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import { linkClasses } from '../ui/display/link.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { type Column, Table } from '../ui/display/table.tsx';

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
  const { usage, ui } = useText();
  const columns = useColumns();
  const { items, error, isPending, hasMore, isFetchingMore, fetchMore, refetch } = usePages<UsageRecord>(keys.usage, {
    fetchPage: (cursor, signal) => errand.usage.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (isPending) return <SkeletonList className="h-9" />;
  if (items.length === 0) return <EmptyState title={usage.nothing}>{usage.nothingBody}</EmptyState>;
  return (
    <>
      <Table
        caption={usage.ledger}
        columns={columns}
        rows={items}
        keyOf={(record) => `${record.task_id} ${record.created_at} ${record.type} ${record.credits}`}
      />
      {hasMore && (
        <Button size="small" className="mt-4" isBusy={isFetchingMore} onClick={() => void fetchMore()}>
          {ui.loadMore}
        </Button>
      )}
    </>
  );
}
