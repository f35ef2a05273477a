import { useLocation } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { readRowName } from '../task-list/row-name.ts';
import type { Step } from './conversation/step.ts';
import type { DisclosureState } from './use-disclosure.ts';
import { findRow, findStep } from './workbench/step-row.ts';
import type { Workbench } from './workbench/use-workbench.ts';

export interface RowTarget {
  /** The position of the row to scroll to; null once it is reached. */
  index: number | null;
  /** Goes to the row of a step, and expands it. */
  show(step: Step): void;
  /** Goes to the row of a message. */
  showMessage(eventId: string): void;
  clear(): void;
}

/** The row that the URL names, once the conversation has it, until it is reached. */
function useNamedRow(bench: Workbench) {
  const name = useLocation({ select: ({ hash }) => readRowName(hash) });
  const [reached, setReached] = useState<string | null>(null);
  const index = name === null || name === reached ? null : findRow(bench.live.view(), name);
  const clear = useCallback(() => setReached(name), [name]);
  return { index, clear };
}

/** Leads from a step in the workbench, and from the URL, to a row in the conversation. */
export function useRowTarget(bench: Workbench, disclosure: DisclosureState): RowTarget {
  const named = useNamedRow(bench);
  const [index, setIndex] = useState<number | null>(null);
  const clearNamed = named.clear;
  const clear = useCallback(() => {
    setIndex(null);
    clearNamed();
  }, [clearNamed]);
  const goTo = (row: number) => {
    bench.seek(null);
    if (!bench.isWide) bench.close();
    setIndex(row);
  };
  const show = (step: Step) => {
    const found = findStep(bench.live.view(), step);
    if (!found) return;
    for (const key of found.keys) if (!disclosure.isOpen(key)) disclosure.toggle(key);
    goTo(found.index);
  };
  const showMessage = (eventId: string) => {
    const row = findRow(bench.live.view(), eventId);
    if (row !== null) goTo(row);
  };
  return { index: index ?? named.index, show, showMessage, clear };
}
