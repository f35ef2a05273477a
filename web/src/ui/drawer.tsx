import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useText } from '../text/locale.ts';
import { Backdrop } from './dialog.tsx';

export interface DrawerProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  children: ReactNode;
}

/** What stands beside the page on wide screens, over it on phones. */
export function Drawer({ isOpen, onClose, title, children }: DrawerProps) {
  const { ui } = useText();
  return (
    <Radix.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content
          aria-modal
          aria-describedby={undefined}
          // The first button would show its tooltip.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          className="fixed inset-y-0 left-0 z-40 w-[min(20rem,88vw)] bg-paper shadow-float outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
          <Radix.Close
            aria-label={ui.close}
            className="absolute top-3 right-3 rounded-md p-2 text-soft hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-4.5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
