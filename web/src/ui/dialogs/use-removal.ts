import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '../feedback/toast.tsx';
import { useAction } from '../feedback/use-action.ts';

interface RemovalOptions<Item> {
  /** Queries to refetch afterward. */
  changes: readonly QueryKey[];
  describeDone(item: Item): string;
}

/** Removes list items, each after confirmation in `RemovalDialog`. */
export function useRemoval<Item>(remove: (item: Item) => Promise<unknown>, { changes, describeDone }: RemovalOptions<Item>) {
  const [item, setItem] = useState<Item | null>(null);
  const action = useAction(remove, {
    changes,
    isQuiet: true,
    onDone: () => item !== null && showToast(describeDone(item)),
  });
  return { item, ask: (chosen: Item) => setItem(chosen), cancel: () => setItem(null), confirm: action.mutateAsync };
}

/** What `useRemoval` is about to remove. */
export type Removal<Item> = ReturnType<typeof useRemoval<Item>>;
