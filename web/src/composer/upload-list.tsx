import { FileText, TriangleAlert, X } from 'lucide-react';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { Spinner } from '../ui/display/spinner.tsx';
import { describeError } from '../ui/feedback/state.tsx';
import type { Upload } from './use-uploads.ts';

function UploadIcon({ state }: Pick<Upload, 'state'>) {
  if (state === 'sending') return <Spinner className="size-4 text-soft" />;
  if (state === 'failed') return <TriangleAlert aria-hidden className="size-4 shrink-0 text-bad" />;
  return <FileText aria-hidden className="size-4 shrink-0 text-accent" />;
}

function UploadChip({ upload, onRemove }: { upload: Upload; onRemove(): void }) {
  const text = useText();
  const format = useFormat();
  const { filename, bytes, progress, state, error } = upload;
  const note =
    state === 'failed' ? describeError(error, text) : state === 'sending' ? format.percent(progress) : format.bytes(bytes);
  return (
    <li
      className={joinClasses(
        'relative flex max-w-full items-center gap-2 overflow-hidden rounded-md border py-1 pr-1 pl-2.5 text-sm',
        state === 'failed' ? 'border-bad text-bad' : 'border-line',
      )}
    >
      <UploadIcon state={state} />
      <span className="min-w-0 truncate">{filename}</span>
      <span className={joinClasses('text-xs whitespace-nowrap tabular-nums', state === 'failed' ? 'text-bad' : 'text-soft')}>
        {note}
      </span>
      <button
        type="button"
        aria-label={state === 'sending' ? text.composer.cancelUpload(filename) : text.composer.removeFile(filename)}
        onClick={onRemove}
        className="rounded-sm p-1 text-soft hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
      {state === 'sending' && (
        <progress
          aria-label={text.composer.uploading(filename)}
          max={1}
          value={progress}
          className="absolute inset-x-0 bottom-0 h-0.5 w-full accent-accent"
        />
      )}
    </li>
  );
}

/** The files of a draft. */
export function UploadList({ uploads, onRemove }: { uploads: readonly Upload[]; onRemove(upload: Upload): void }) {
  const { composer } = useText();
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={composer.files} className="flex flex-wrap gap-2 px-3.5 pt-1 pb-2">
      {uploads.map((upload) => (
        <UploadChip key={upload.key} upload={upload} onRemove={() => onRemove(upload)} />
      ))}
    </ul>
  );
}
