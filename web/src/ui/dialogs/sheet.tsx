import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Backdrop } from './dialog.tsx';
import { DialogClose } from './dialog-close.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface SheetProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** Fills the sheet: a flex column with a height. */
  children: ReactNode;
}

/** A whole view over nearly all of the page, from the bottom on phones. */
export function Sheet({ isOpen, onClose, title, children }: SheetProps) {
  const focus = useFocusReturn();
  return (
    <Radix.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content
          aria-modal
          aria-describedby={undefined}
          onOpenAutoFocus={focus.onOpenAutoFocus}
          onCloseAutoFocus={focus.onCloseAutoFocus}
          onEscapeKeyDown={(event) => {
            // It belongs to what takes the whole keyboard, such as the picture of a browser.
            if (document.activeElement?.closest('[role="application"]')) event.preventDefault();
          }}
          className="appear fixed inset-x-0 bottom-0 z-40 flex h-[92dvh] flex-col overflow-hidden rounded-t-lg bg-paper shadow-float outline-none sm:inset-x-6 sm:inset-y-5 sm:mx-auto sm:h-auto sm:max-w-3xl sm:rounded-lg"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
          <DialogClose />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
