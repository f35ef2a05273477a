import type { Attachment } from '@errand/client';
import { lazy, Suspense } from 'react';
import { AttachmentDialog } from '../../previews/attachment-dialog.tsx';
import { fileOfAttachment } from '../../previews/files/preview-file.ts';
import { PreviewLoading } from '../../previews/panel/preview-loading.tsx';
import { useMedia } from '../use-media.ts';

const PreviewPanel = lazy(async () => ({ default: (await import('../../previews/preview-panel.tsx')).PreviewPanel }));

/** Wide enough for a conversation and a page side by side. */
const roomy = '(min-width: 90rem)';

export interface FilePlaceProps {
  /** Null while no file is open. */
  file: Attachment | null;
  onClose(): void;
}

/** The opened file: beside the conversation if there is space, else in front of it. */
export function FilePlace({ file, onClose }: FilePlaceProps) {
  const isRoomy = useMedia(roomy);
  if (!isRoomy || !file) return <AttachmentDialog attachment={file} onClose={onClose} />;
  return (
    <aside aria-label={file.filename} className="flex w-[45%] max-w-4xl shrink-0 flex-col border-l border-line">
      <Suspense fallback={<PreviewLoading />}>
        <PreviewPanel key={file.url} file={fileOfAttachment(file)} onClose={onClose} onRefresh={() => window.location.reload()} />
      </Suspense>
    </aside>
  );
}
