import type { UsageRecord } from '@errand/client';

/** A value of a day, which starts at midnight UTC. Unix time in milliseconds. */
export interface DayValue {
  dayMs: number;
  value: number;
}

export const dayMs = 86_400_000;

export function startOfDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}

/** The days up to that of `nowMs`, oldest first, each with its value; 0 on days without any. */
export function fillDays(used: readonly DayValue[], nowMs: number, count: number): DayValue[] {
  const byDay = new Map<number, number>();
  for (const { dayMs: day, value } of used) byDay.set(day, (byDay.get(day) ?? 0) + value);
  const today = startOfDay(nowMs);
  return Array.from({ length: count }, (_, index) => {
    const day = today - (count - 1 - index) * dayMs;
    return { dayMs: day, value: Math.max(0, byDay.get(day) ?? 0) };
  });
}

/** Session costs minus refunds; grants do not count. */
export function readUsage(records: readonly UsageRecord[]): DayValue[] {
  return records
    .filter((record) => record.type !== 'grant')
    .map((record) => ({ dayMs: startOfDay(record.created_at * 1000), value: -record.credits }));
}

/** A few evenly spaced round numbers, from 0 to at least the largest value; `smallest` is the least distance between them. */
export function chooseTicks(largest: number, smallest = 1, steps = 4): number[] {
  const rough = Math.max(smallest, largest) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const size = Math.max(smallest, step);
  // Without the error of the division, which would be one more tick.
  const count = Math.ceil(Math.max(smallest, largest) / size - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => index * size);
}
