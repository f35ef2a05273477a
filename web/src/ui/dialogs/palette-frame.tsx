import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Backdrop } from './dialog.tsx';

export interface PaletteFrameProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** A dialog without a visible title, near the top of the page, for a field with a list below. */
export function PaletteFrame({ title, onClose, children }: PaletteFrameProps) {
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content
          aria-modal
          aria-describedby={undefined}
          className="appear fixed inset-x-3 top-[12dvh] z-40 mx-auto flex max-h-[70dvh] max-w-xl flex-col overflow-hidden rounded-lg bg-card shadow-float outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
