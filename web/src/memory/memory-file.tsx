import type { MemoryText } from '@errand/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, SearchX, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { errand, isNotFound } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { PageHeader } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { FileAuthor } from './file-author.tsx';
import { FileEditor } from './file-editor.tsx';
import { FileMarks } from './file-marks.tsx';
import { memoryFileQuery } from './memory-file-query.ts';
import { keyOf, type MemoryPlace, once } from './memory-place.ts';
import type { MemorySearch } from './memory-search.ts';
import { VersionList } from './version-list.tsx';

interface MemoryFileProps {
  place: MemoryPlace;
  path: string;
  /** The list that the file is in. */
  list: MemorySearch;
}

function DeleteFile({ place, file, list }: { place: MemoryPlace; file: MemoryText; list: MemorySearch }) {
  const { memory, ui } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    await errand.memory.delete({ ...place, path: file.path, if_version: file.version }, once);
    showToast(memory.deleted);
    // Only after leaving: here it would be missing.
    void navigate({ to: '/memory', search: list }).then(() => client.invalidateQueries({ queryKey: keyOf(place) }));
  };
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        {ui.delete}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={memory.deleteTitle(file.path)}
        confirmLabel={ui.delete}
        isDangerous
        onConfirm={remove}
      >
        {memory.deleteBody}
      </ConfirmDialog>
    </>
  );
}

function TaintNotice() {
  const { memory } = useText();
  return (
    <section aria-label={memory.taintedTitle} className="mb-5 flex gap-3 rounded-lg border border-warn bg-warn-soft p-4">
      <ShieldAlert aria-hidden className="size-5 shrink-0 text-warn" />
      <div>
        <h2 className="font-medium text-warn">{memory.taintedTitle}</h2>
        <p className="mt-1 text-sm">{memory.taintedBody}</p>
      </div>
    </section>
  );
}

function Detail({ place, file, list }: { place: MemoryPlace; file: MemoryText; list: MemorySearch }) {
  return (
    <>
      <PageHeader title={file.path} actions={<DeleteFile place={place} file={file} list={list} />} />
      <p className="-mt-3 mb-5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <FileAuthor file={file} />
        <Time ms={file.updated_at * 1000} />
        <FileMarks file={file} />
      </p>
      {file.is_tainted && <TaintNotice />}
      <div className="mb-10">
        <FileEditor place={place} file={file} />
      </div>
      <VersionList place={place} file={file} />
    </>
  );
}

/** One file of a memory: its text, marks, and versions. */
export function MemoryFile({ place, path, list }: MemoryFileProps) {
  const { app, memory } = useText();
  const { data, error, refetch } = useQuery(memoryFileQuery(place, path));
  return (
    <>
      <Link
        to="/memory"
        search={list}
        className="-ml-1.5 mb-3 inline-flex min-h-8 items-center gap-1.5 rounded-md px-1.5 text-sm text-soft hover:text-ink pointer-coarse:min-h-11"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {memory.title}
      </Link>
      {isNotFound(error) && (
        <EmptyState icon={<SearchX aria-hidden />} title={app.notFoundTitle}>
          {app.notFoundBody}
        </EmptyState>
      )}
      {error && !isNotFound(error) && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList rows={3} className="h-24" />}
      {data && !isNotFound(error) && <Detail key={path} place={place} file={data} list={list} />}
    </>
  );
}
