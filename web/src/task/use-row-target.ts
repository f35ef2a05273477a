import { useCallback, useState } from 'react';
import type { Step } from './conversation/step.ts';
import type { DisclosureState } from './use-disclosure.ts';
import { findStep } from './workbench/step-row.ts';
import type { Workbench } from './workbench/use-workbench.ts';

export interface RowTarget {
  /** The position of the row to scroll to; null once it is reached. */
  index: number | null;
  /** Goes to the row of a step, and expands it. */
  show(step: Step): void;
  clear(): void;
}

/** Leads from a step in the workbench to its row in the conversation. */
export function useRowTarget(bench: Workbench, disclosure: DisclosureState): RowTarget {
  const [index, setIndex] = useState<number | null>(null);
  const clear = useCallback(() => setIndex(null), []);
  const show = (step: Step) => {
    const found = findStep(bench.live.view(), step);
    if (!found) return;
    for (const key of found.keys) if (!disclosure.isOpen(key)) disclosure.toggle(key);
    bench.seek(null);
    if (!bench.isWide) bench.close();
    setIndex(found.index);
  };
  return { index, show, clear };
}
