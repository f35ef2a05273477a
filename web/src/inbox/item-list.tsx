import type { InboxItem } from '@errand/client';
import type { ReactNode } from 'react';
import { errand } from '../api/errand.ts';
import { useInboxInterval } from '../api/inbox-queries.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import type { InboxType } from './inbox-search.ts';

const pageSize = 20;

interface ItemListProps {
  status: 'open' | 'decided';
  type: InboxType | undefined;
  renderItem(item: InboxItem): ReactNode;
  /** Shown if there is none. */
  children: ReactNode;
}

/** Items of the inbox, newest tasks first, updated live, loaded on demand. */
export function ItemList({ status, type, renderItem, children }: ItemListProps) {
  const { inbox, ui } = useText();
  const filter = { status, limit: pageSize, ...(type && { type }) };
  const { items, error, isPending, hasMore, isFetchingMore, fetchMore, refetch } = usePages<InboxItem>([...keys.inbox, filter], {
    fetchPage: (cursor, signal) => errand.inbox.list({ ...filter, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: useInboxInterval(),
  });
  if (error && items.length === 0) return <ErrorState error={error} onRetry={refetch} />;
  if (isPending) return <SkeletonList rows={3} className="h-36" />;
  if (items.length === 0) return children;
  return (
    <>
      <ul aria-label={status === 'open' ? inbox.open : inbox.decided} className="flex flex-col gap-3">
        {items.map((item) => (
          <li key={item.id}>{renderItem(item)}</li>
        ))}
      </ul>
      {hasMore && (
        <Button className="mt-4" isBusy={isFetchingMore} onClick={() => void fetchMore()}>
          {ui.loadMore}
        </Button>
      )}
    </>
  );
}
