import { useEffect, useState } from 'react';
import type { TaskStatus } from './conversation/row.ts';

/** Whether the task finished while its tab was hidden, until the tab is shown. */
export function useTabMark(status: TaskStatus | null): boolean {
  const [known, setKnown] = useState(status);
  const [isMarked, setMarked] = useState(false);
  if (status !== known) {
    setKnown(status);
    if (known === 'running' && document.visibilityState !== 'visible') setMarked(true);
  }
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setMarked(false);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isMarked;
}
