import type { InboxItem } from '@errand/client';
import type { ReactNode } from 'react';
import { errand } from '../api/errand.ts';
import { useInboxInterval } from '../api/inbox-queries.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import type { InboxType } from './inbox-search.ts';
import { PagedList } from '../ui/display/paged-list.tsx';

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
  const { inbox } = useText();
  const filter = { status, limit: pageSize, ...(type && { type }) };
  const pages = usePages<InboxItem>([...keys.inbox, filter], {
    fetchPage: (cursor, signal) => errand.inbox.list({ ...filter, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: useInboxInterval(),
  });
  return (
    <PagedList pages={pages} skeleton={{ rows: 3, className: 'h-36' }} empty={children}>
      {(items) => (
        <ul aria-label={status === 'open' ? inbox.open : inbox.decided} className="flex flex-col gap-3">
          {items.map((item) => (
            <li key={item.id}>{renderItem(item)}</li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}
