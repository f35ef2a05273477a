import { type Format, useFormat } from '../text/format.ts';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/locale.ts';
import { type Plan, readPlan } from './plan.ts';

function describePlan(plan: Plan, { words }: Texts['schedules'], format: Format): string {
  const { kind, time } = plan;
  if (kind === 'interval') return words.interval(format.count(Number(plan.count), plan.unit));
  if (kind === 'weekly') return words.weekly(format.weekday(Number(plan.weekday)), time);
  if (kind === 'monthly') return words.monthly(plan.monthDay, time);
  if (kind === 'cron') return words.cron(plan.cron);
  return kind === 'once' ? words.once : words[kind](time);
}

/** Says when a schedule runs, in a few words. */
export function useTimingWords(): (schedule: Parameters<typeof readPlan>[0]) => string {
  const { schedules } = useText();
  const format = useFormat();
  return (schedule) => describePlan(readPlan(schedule), schedules, format);
}
