import { File, Folder } from 'lucide-react';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { FileFacts } from './panel/file-facts.tsx';
import { PreviewLoading } from './panel/preview-loading.tsx';
import { PreviewProblem } from './panel/preview-problem.tsx';
import type { PreviewViewProps } from './panel/preview-view.ts';
import { useFile } from './files/use-file.ts';
import { readZipDirectory } from './files/zip-directory.ts';
import { ScrollRegion } from './panel/scroll-region.tsx';

const maxBytes = 50_000_000;
const mostShown = 1000;

/** The entries of a zip file, without unpacking it. */
export function ArchivePreview(view: PreviewViewProps) {
  const { previews } = useText();
  const format = useFormat();
  const { value, error } = useFile('archive', view.file, { maxBytes }, (bytes) => readZipDirectory(bytes));
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  if (value.length === 0) return <FileFacts file={view.file}>{previews.emptyArchive}</FileFacts>;
  const sum = value.reduce((total, { bytes }) => total + bytes, 0);
  return (
    <ScrollRegion label={view.file.filename} className="min-h-0 flex-1 overflow-auto px-4 py-4 sm:px-6">
      <p className="mb-3 text-sm text-soft">
        {previews.archiveFacts(value.length, format.number(value.length), format.bytes(sum))}
      </p>
      <ul className="divide-y divide-line text-sm">
        {value.slice(0, mostShown).map(({ name, bytes, isFolder }, index) => (
          <li key={index} className="flex items-center gap-2.5 py-1.5">
            {isFolder ? (
              <Folder aria-hidden className="size-4 shrink-0 text-soft" />
            ) : (
              <File aria-hidden className="size-4 shrink-0 text-soft" />
            )}
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              {name}
            </span>
            {!isFolder && <span className="shrink-0 text-soft tabular-nums">{format.bytes(bytes)}</span>}
          </li>
        ))}
      </ul>
      {value.length > mostShown && <p className="mt-3 text-sm text-soft">{previews.cut}</p>}
    </ScrollRegion>
  );
}
