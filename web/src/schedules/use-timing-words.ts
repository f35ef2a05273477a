import { type Format, useFormat } from '../text/format.ts';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/locale.ts';
import { type Plan, readPlan } from './plan.ts';

/** A time such as `09:00` as the language writes it. */
function writeTime(time: string, format: Format): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return format.time(new Date(2023, 0, 1, hour, minute).getTime());
}

function describePlan(plan: Plan, { words }: Texts['schedules'], format: Format): string {
  const { kind } = plan;
  const time = writeTime(plan.time, format);
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
