import { useSyncExternalStore } from 'react';
import { useFormat } from '../../text/format.ts';

const tickMs = 30_000;
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

/** One timer for all times on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time, updated twice a minute. Unix time in milliseconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** A relative time; the exact time appears on hover. Takes Unix time in milliseconds. */
export function Time({ ms, className }: { ms: number; className?: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={new Date(ms).toISOString()} title={format.dateTime(ms)} className={className ?? 'whitespace-nowrap'}>
      {format.relative(ms, Math.max(now, ms))}
    </time>
  );
}
