import type { UsageRecord } from '@errand/client';

/** The usage of a day, which starts at midnight UTC. Unix time in milliseconds. */
export interface DayUsage {
  dayMs: number;
  credits: number;
}

export const dayMs = 86_400_000;

export function startOfDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}

/** The days up to that of `nowMs`, oldest first, each with its usage; 0 on days without any. */
export function fillDays(used: readonly DayUsage[], nowMs: number, count: number): DayUsage[] {
  const byDay = new Map<number, number>();
  for (const { dayMs: day, credits } of used) byDay.set(day, (byDay.get(day) ?? 0) + credits);
  const today = startOfDay(nowMs);
  return Array.from({ length: count }, (_, index) => {
    const day = today - (count - 1 - index) * dayMs;
    return { dayMs: day, credits: Math.max(0, byDay.get(day) ?? 0) };
  });
}

/** Session costs minus refunds; grants do not count. */
export function readUsage(records: readonly UsageRecord[]): DayUsage[] {
  return records
    .filter((record) => record.type !== 'grant')
    .map((record) => ({ dayMs: startOfDay(record.created_at * 1000), credits: -record.credits }));
}

/** A few evenly spaced round numbers, from 0 to at least the largest value. */
export function chooseTicks(largest: number, steps = 4): number[] {
  const rough = Math.max(1, largest) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const size = Math.max(1, step);
  return Array.from({ length: Math.ceil(Math.max(1, largest) / size) + 1 }, (_, index) => index * size);
}
