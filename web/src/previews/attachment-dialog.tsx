import type { Attachment } from '@errand/client';
import { lazy, Suspense } from 'react';
import { fileOfAttachment } from './files/preview-file.ts';
import { PreviewDialog } from './panel/preview-dialog.tsx';
import { PreviewLoading } from './panel/preview-loading.tsx';

const PreviewPanel = lazy(async () => ({ default: (await import('./preview-panel.tsx')).PreviewPanel }));

interface AttachmentDialogProps {
  /** Null while closed. */
  attachment: Attachment | null;
  onClose: () => void;
}

/** The URLs in a conversation are refreshed whenever its page is loaded. */
function readAgain(): void {
  window.location.reload();
}

/** An attachment in a dialog over the conversation. */
export function AttachmentDialog({ attachment, onClose }: AttachmentDialogProps) {
  if (!attachment) return null;
  return (
    <PreviewDialog isOpen onClose={onClose}>
      <Suspense fallback={<PreviewLoading />}>
        <PreviewPanel file={fileOfAttachment(attachment)} onClose={onClose} onRefresh={readAgain} isDialog />
      </Suspense>
    </PreviewDialog>
  );
}
