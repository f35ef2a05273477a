import { lazy, Suspense } from 'react';
import type { PreviewFile } from './files/preview-file.ts';
import { PreviewDialog } from './panel/preview-dialog.tsx';
import { PreviewLoading } from './panel/preview-loading.tsx';

const PreviewPanel = lazy(async () => ({ default: (await import('./preview-panel.tsx')).PreviewPanel }));

interface FileDialogProps {
  /** Null while closed. */
  file: PreviewFile | null;
  onClose: () => void;
}

/** The URLs in a conversation are refreshed whenever its page is loaded. */
function readAgain(): void {
  window.location.reload();
}

/** A file in a dialog over the conversation. */
export function FileDialog({ file, onClose }: FileDialogProps) {
  if (!file) return null;
  return (
    <PreviewDialog isOpen onClose={onClose}>
      <Suspense fallback={<PreviewLoading />}>
        <PreviewPanel file={file} onClose={onClose} onRefresh={readAgain} isDialog />
      </Suspense>
    </PreviewDialog>
  );
}
