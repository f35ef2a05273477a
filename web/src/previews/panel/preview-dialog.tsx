import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useText } from '../../text/locale.ts';
import { Backdrop } from '../../ui/dialogs/dialog.tsx';

export interface PreviewDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** A panel with `isDialog`, whose heading names the dialog. */
  children: ReactNode;
}

/** Keeps the opening key press from activating a button inside, and tooltips from showing too early. */
function focusItself(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

/** A preview over nearly all of the page. Escape and a click outside close it. */
export function PreviewDialog({ isOpen, onClose, children }: PreviewDialogProps) {
  const { previews } = useText();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Dialog.Portal>
        <Backdrop />
        <Dialog.Content
          aria-modal
          aria-label={previews.title}
          aria-describedby={undefined}
          onOpenAutoFocus={focusItself}
          className="appear fixed inset-0 z-40 flex flex-col overflow-hidden bg-card shadow-float outline-none sm:inset-x-6 sm:inset-y-5 sm:mx-auto sm:max-w-6xl sm:rounded-lg"
        >
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
