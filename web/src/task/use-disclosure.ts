import { startTransition, useCallback, useMemo, useState } from 'react';
import type { Disclosure } from './rows/row-props.ts';

export interface DisclosureState extends Disclosure {
  isAllOpen: boolean;
  /** Expands or collapses everything. */
  setAllOpen(isOpen: boolean): void;
}

/** What is expanded in a conversation. It outlives the rows, which are unmounted as people scroll. */
export function useDisclosure(): DisclosureState {
  const [isAllOpen, setAll] = useState(false);
  /** Rows that differ from the default. */
  const [exceptions, setExceptions] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => {
    setExceptions((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const setAllOpen = useCallback((isOpen: boolean) => {
    // Much is rerendered: keys and clicks take precedence.
    startTransition(() => {
      setAll(isOpen);
      setExceptions(new Set());
    });
  }, []);
  return useMemo(
    () => ({ isAllOpen, setAllOpen, toggle, isOpen: (key: string) => isAllOpen !== exceptions.has(key) }),
    [isAllOpen, exceptions, toggle, setAllOpen],
  );
}
