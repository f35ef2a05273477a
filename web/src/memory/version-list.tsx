import type { MemoryText, MemoryVersion } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { RowAction } from '../ui/controls/row-action.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { Badge } from '../ui/display/badge.tsx';
import { Section } from '../ui/display/card.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { FileAuthor } from './file-author.tsx';
import { FileMarks } from './file-marks.tsx';
import { FileText } from './file-text.tsx';
import { memoryFileQuery } from './memory-file-query.ts';
import { keyOf, type MemoryPlace, once } from './memory-place.ts';
import { PagedList } from '../ui/display/paged-list.tsx';

const pageSize = 20;

interface VersionDialogProps {
  place: MemoryPlace;
  file: MemoryText;
  version: number;
  onClose(): void;
}

/** A former version, which can become the current one again. */
function VersionDialog({ place, file, version, onClose }: VersionDialogProps) {
  const { memory } = useText();
  const format = useFormat();
  const former = useQuery({ ...memoryFileQuery(place, file.path, version), staleTime: Number.POSITIVE_INFINITY });
  const restore = useAction(
    ({ content, is_tainted: isTainted }: MemoryText) =>
      errand.memory.write({ ...place, path: file.path, content, if_version: file.version, is_tainted: isTainted }, once),
    {
      changes: [keyOf(place)],
      onDone: () => {
        showToast(memory.restored);
        onClose();
      },
    },
  );
  const { data } = former;
  const actions = data && version !== file.version && (
    <DialogActions
      onCancel={onClose}
      label={memory.restoreVersion}
      isBusy={restore.isPending}
      onClick={() => restore.mutate(data)}
    />
  );
  const title = `${file.path} · ${memory.version(format.number(version))}`;
  return (
    <Dialog isOpen onClose={onClose} title={title} actions={actions || undefined} isWide>
      {former.error && <ErrorState error={former.error} onRetry={former.refetch} />}
      {former.isPending && <SkeletonList rows={3} />}
      {data && <FileText label={title} text={data.content} />}
    </Dialog>
  );
}

function VersionRow({ version, isCurrent, onShow }: { version: MemoryVersion; isCurrent: boolean; onShow(): void }) {
  const { memory } = useText();
  const format = useFormat();
  const name = memory.version(format.number(version.version));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2.5 text-sm last:border-0">
      <span className="font-medium">{name}</span>
      {isCurrent && <Badge tone="good">{memory.current}</Badge>}
      {version.is_deletion && <Badge>{memory.deletion}</Badge>}
      <FileMarks file={version} />
      <span className="text-soft">
        <Time ms={version.updated_at * 1000} />
      </span>
      <span className="min-w-0 flex-1 basis-48 text-soft">
        <FileAuthor file={version} />
      </span>
      {!version.is_deletion && <RowAction label={memory.show} name={name} onClick={onShow} />}
    </li>
  );
}

/** The versions of a file, newest first. */
export function VersionList({ place, file }: { place: MemoryPlace; file: MemoryText }) {
  const { memory } = useText();
  const [shown, setShown] = useState<number | null>(null);
  const { path } = file;
  const pages = usePages<MemoryVersion>([...keyOf(place), 'versions', path], {
    fetchPage: (cursor, signal) =>
      errand.memory.versions({ ...place, path, limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  return (
    <Section title={memory.versions}>
      <PagedList pages={pages} skeleton={{ rows: 2 }}>
        {(versions) => (
          <ul aria-label={memory.versions}>
            {versions.map((version) => (
              <VersionRow
                key={version.version}
                version={version}
                isCurrent={version.version === file.version}
                onShow={() => setShown(version.version)}
              />
            ))}
          </ul>
        )}
      </PagedList>
      {shown !== null && <VersionDialog place={place} file={file} version={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}
