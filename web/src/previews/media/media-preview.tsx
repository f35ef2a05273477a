import { FileIcon } from '../panel/file-icon.tsx';
import { PreviewFault } from '../files/preview-fault.ts';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { useMediaPlace } from './use-media-place.ts';

/** Audio, streamed in ranges. */
export function AudioPreview(view: PreviewViewProps) {
  const { hasFailed, events } = useMediaPlace(view.file.url, view.onRefresh);
  if (hasFailed) return <PreviewProblem {...view} error={new PreviewFault('unreachable')} />;
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-6 p-6">
      <FileIcon file={view.file} className="size-14 text-soft" />
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- nobody wrote captions of a file */}
      <audio
        controls
        preload="metadata"
        src={view.file.url}
        aria-label={view.file.filename}
        className="w-full max-w-lg"
        {...events}
      />
    </div>
  );
}

/** A video, streamed in ranges. */
export function VideoPreview(view: PreviewViewProps) {
  const { hasFailed, events } = useMediaPlace(view.file.url, view.onRefresh);
  if (hasFailed) return <PreviewProblem {...view} error={new PreviewFault('unreachable')} />;
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center bg-[#000]">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- nobody wrote captions of a file */}
      <video
        controls
        playsInline
        preload="metadata"
        src={view.file.url}
        aria-label={view.file.filename}
        className="max-h-full max-w-full"
        {...events}
      />
    </div>
  );
}
