import { PagedList, type PagedListProps } from './paged-list.tsx';
import { Table, type TableProps } from './table.tsx';

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'>, Omit<PagedListProps<Row>, 'children'> {}

/** A table that grows page by page, with its loading, empty, and error states. */
export function PagedTable<Row>({ pages, skeleton, empty, ...table }: PagedTableProps<Row>) {
  return <PagedList {...{ pages, skeleton, empty }}>{(rows) => <Table {...table} rows={rows} />}</PagedList>;
}
