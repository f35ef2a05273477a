import type { ReactNode } from 'react';
import type { usePages } from '../api/paging.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { Table, type TableProps } from '../ui/display/table.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  pages: ReturnType<typeof usePages<Row>>;
  /** Shown if there is no row. */
  empty: ReactNode;
}

/** A table that grows page by page, with its loading, empty, and error states. */
export function PagedTable<Row>({ pages, empty, ...table }: PagedTableProps<Row>) {
  const { ui } = useText();
  const { items, error, isPending, hasMore } = pages;
  return (
    <>
      {error && <ErrorState error={error} onRetry={pages.refetch} />}
      {isPending && <SkeletonList rows={3} />}
      {!isPending && !error && items.length === 0 && empty}
      {items.length > 0 && <Table {...table} rows={items} />}
      {hasMore && (
        <Button className="mt-4" isBusy={pages.isFetchingMore} onClick={() => void pages.fetchMore()}>
          {ui.loadMore}
        </Button>
      )}
    </>
  );
}
