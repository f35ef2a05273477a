import type { ReactNode } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';
import { ErrorState } from '../feedback/state.tsx';
import { SkeletonList, type SkeletonListProps } from './skeleton.tsx';

/** A list read page by page, as far as it is loaded. */
export interface Pages<Item> {
  items: readonly Item[];
  error: Error | null;
  isPending: boolean;
  hasMore: boolean;
  isFetchingMore: boolean;
  /** Whether the error is about more of it, not about what is loaded. */
  hasMoreFailed: boolean;
  fetchMore(): unknown;
  refetch(): unknown;
}

export interface PagedListProps<Item> {
  pages: Pages<Item>;
  /** Shown in place of rows that are loading. */
  skeleton?: SkeletonListProps | undefined;
  /** Shown if there is no item. */
  empty?: ReactNode;
  /** Shows the items loaded so far, of which there is at least one. */
  children(items: readonly Item[]): ReactNode;
}

/** A list that grows page by page, with its loading, empty, and error states. What is loaded stays if it cannot be read again. */
export function PagedList<Item>({ pages, skeleton, empty, children }: PagedListProps<Item>) {
  const { ui } = useText();
  const { items, error, isPending, hasMore, isFetchingMore, hasMoreFailed } = pages;
  return (
    <>
      {error && !hasMoreFailed && (
        <div className={items.length > 0 ? 'mb-4' : undefined}>
          <ErrorState error={error} onRetry={() => pages.refetch()} />
        </div>
      )}
      {isPending && <SkeletonList {...skeleton} />}
      {items.length > 0 && children(items)}
      {items.length === 0 && !isPending && !error && empty}
      {error && hasMoreFailed && (
        <div className="mt-4">
          <ErrorState error={error} onRetry={() => pages.fetchMore()} />
        </div>
      )}
      {hasMore && (
        <Button className="mt-4" isBusy={isFetchingMore} onClick={() => void pages.fetchMore()}>
          {ui.loadMore}
        </Button>
      )}
    </>
  );
}
