import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Backdrop } from './dialog.tsx';
import { DialogClose } from './dialog-close.tsx';

export interface DrawerProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  children: ReactNode;
}

/** A panel beside the page on wide screens, over it on phones. */
export function Drawer({ isOpen, onClose, title, children }: DrawerProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content
          aria-modal
          aria-describedby={undefined}
          // Otherwise the first button shows its tooltip.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          className="fixed inset-y-0 left-0 z-40 w-[min(20rem,88vw)] bg-paper shadow-float outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
          <DialogClose />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
