import { useFormat } from '../text/format.ts';
import { useNow } from '../ui/display/time.tsx';

const weekMs = 7 * 86_400_000;

/** Whether how far away a time is says more than its date. */
export function isNear(seconds: number, nowMs: number): boolean {
  return seconds * 1000 - nowMs < weekMs;
}

interface NextTimesProps {
  label: string;
  /** Unix times in seconds. */
  times: readonly number[];
  zone: string;
}

/** Times to come, by the clocks of a zone. */
export function NextTimes({ label, times, zone }: NextTimesProps) {
  const format = useFormat();
  const now = useNow();
  return (
    <ol aria-label={label} className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
      {times.map((seconds) => (
        <li key={seconds} className="flex flex-wrap justify-between gap-x-3">
          <time dateTime={new Date(seconds * 1000).toISOString()} className="tabular-nums">
            {format.zoned(seconds * 1000, zone)}
          </time>
          {isNear(seconds, now) && <span className="text-soft">{format.relative(seconds * 1000, now)}</span>}
        </li>
      ))}
    </ol>
  );
}
