import { useEffect, useState } from 'react';
import { useFormat } from '../text/format.ts';

/** A running timer. Takes Unix time in milliseconds. */
export function Elapsed({ fromMs }: { fromMs: number }) {
  const format = useFormat();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const elapsedMs = nowMs - fromMs;
  return <span className="whitespace-nowrap tabular-nums">{elapsedMs >= 1_000 && format.duration(elapsedMs)}</span>;
}
