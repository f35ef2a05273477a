import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TooltipProps {
  label: string;
  hint?: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that can be hovered. */
  children: ReactNode;
}

export function Tooltip({ label, hint, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="appear z-50 flex max-w-72 items-center gap-2 rounded-sm bg-ink px-2 py-1 text-xs text-paper"
        >
          {label}
          {hint}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
