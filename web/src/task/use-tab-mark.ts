import { useEffect, useState } from 'react';
import type { TaskStatus } from './conversation/row.ts';

/** Whether the task came to rest while nobody looked at its tab, until somebody does. */
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
