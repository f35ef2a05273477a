import type { MemoryFile } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { NotebookText } from 'lucide-react';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { linkClasses } from '../ui/display/link.tsx';
import { Time } from '../ui/display/time.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { FileMarks } from './file-marks.tsx';
import { keyOf, type MemoryPlace } from './memory-place.ts';
import type { MemorySearch } from './memory-search.ts';
import { PagedList } from '../ui/display/paged-list.tsx';

const pageSize = 100;
/** Tasks write while the page is open. */
const refreshMs = 15_000;

function FileRow({ file, search }: { file: MemoryFile; search: MemorySearch }) {
  const format = useFormat();
  const { path, bytes, updated_at: at } = file;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3 last:border-0">
      <Link to="/memory" search={{ ...search, path }} className={`min-w-0 flex-1 basis-48 wrap-anywhere ${linkClasses}`}>
        {path}
      </Link>
      <FileMarks file={file} />
      <span className="text-xs text-soft">{format.bytes(bytes)}</span>
      <span className="text-xs text-soft">
        <Time ms={at * 1000} />
      </span>
    </li>
  );
}

/** The files of a memory, by path. */
export function MemoryFiles({ place, search }: { place: MemoryPlace; search: MemorySearch }) {
  const { memory } = useText();
  const pages = usePages<MemoryFile>([...keyOf(place), 'list'], {
    fetchPage: (cursor, signal) =>
      errand.memory.list({ ...place, limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: refreshMs,
  });
  return (
    <PagedList
      pages={pages}
      skeleton={{ rows: 4, className: 'h-10' }}
      empty={
        <EmptyState icon={<NotebookText aria-hidden />} title={memory.emptyTitle}>
          {memory.emptyBody}
        </EmptyState>
      }
    >
      {(files) => (
        <ul aria-label={memory.files}>
          {files.map((file) => (
            <FileRow key={file.path} file={file} search={search} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}
