import type { ReactNode } from 'react';
import { useText } from '../../text/locale.ts';
import { Sheet } from '../../ui/dialogs/sheet.tsx';
import type { Workbench } from './use-workbench.ts';

interface WorkbenchFrameProps {
  bench: Workbench;
  /** Whether something is open in front of it. */
  isCovered: boolean;
  children: ReactNode;
}

/** The place of the workbench: the right half of the page, or a sheet over it on narrow screens. */
export function WorkbenchFrame({ bench, isCovered, children }: WorkbenchFrameProps) {
  const { workbench } = useText();
  if (!bench.isWide) {
    return (
      <Sheet isOpen={bench.isOpen && !isCovered} onClose={bench.close} title={workbench.title}>
        {children}
      </Sheet>
    );
  }
  if (!bench.isOpen) return null;
  return (
    <aside aria-label={workbench.title} className="flex w-1/2 max-w-6xl shrink-0 flex-col border-l border-line print:hidden">
      {children}
    </aside>
  );
}
