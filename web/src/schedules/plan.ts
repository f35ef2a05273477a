import type { Request, Schedule } from '@errand/client';

export const planKinds = ['daily', 'weekdays', 'weekly', 'monthly', 'interval', 'once', 'cron'] as const;
export type PlanKind = (typeof planKinds)[number];

const unitSeconds = { second: 1, minute: 60, hour: 3_600, day: 86_400 };
export type Unit = keyof typeof unitSeconds;
export const units = Object.keys(unitSeconds) as Unit[];

/** When a schedule runs, as people choose it. Fields that the kind does not use keep what was entered. */
export interface Plan {
  kind: PlanKind;
  /** `09:00`. */
  time: string;
  /** Sunday is `0`. */
  weekday: string;
  monthDay: string;
  count: string;
  unit: Unit;
  /** Date and time by the clock of this browser, as its fields have it. */
  at: string;
  cron: string;
  zone: string;
}

export type Timing = Pick<Request<'schedule.create'>, 'cron' | 'interval_seconds' | 'run_at' | 'time_zone'>;
type Source = Pick<Schedule, 'cron' | 'interval_seconds' | 'run_at' | 'time_zone'>;

export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const firstPlan: Plan = {
  ...{ kind: 'weekdays', time: '09:00', weekday: '1', monthDay: '1' },
  ...{ count: '30', unit: 'minute', at: '', cron: '0 9 * * mon-fri', zone: browserZone },
};

const pad = (value: string) => value.padStart(2, '0');

/** The clock of this browser, as fields for date and time have it. */
function toLocalText(seconds: number): string {
  const ms = seconds * 1000;
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The parts of a cron that a plan other than `cron` can show. */
function readCron(cron: string): Partial<Plan> {
  const [, minute = '', hour = '', monthDay = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|mon-fri|[0-6])$/.exec(cron) ?? [];
  if (minute === '' || Number(minute) > 59 || Number(hour) > 23) return { kind: 'cron' };
  const time = `${pad(hour)}:${pad(minute)}`;
  if (monthDay !== '*') return weekday === '*' ? { kind: 'monthly', time, monthDay: String(Number(monthDay)) } : { kind: 'cron' };
  if (weekday === '*') return { kind: 'daily', time };
  return /^\d$/.test(weekday) ? { kind: 'weekly', time, weekday } : { kind: 'weekdays', time };
}

/** The plan of a schedule. */
export function readPlan({ cron, interval_seconds: seconds, run_at: runAt, time_zone: zone }: Source): Plan {
  if (cron !== null) return { ...firstPlan, zone, cron, ...readCron(cron) };
  if (runAt !== null) return { ...firstPlan, zone, kind: 'once', at: toLocalText(runAt) };
  const unit = units.findLast((one) => (seconds ?? 0) % unitSeconds[one] === 0) ?? 'second';
  return { ...firstPlan, zone, kind: 'interval', unit, count: String((seconds ?? 0) / unitSeconds[unit]) };
}

function toCron({ kind, time, weekday, monthDay, cron }: Plan): string {
  if (kind === 'cron') return cron.trim();
  const [hour = '', minute = ''] = time.split(':').map((part) => String(Number(part)));
  const days = { daily: '* * *', weekdays: '* * 1-5', weekly: `* * ${weekday}`, monthly: `${monthDay} * *` };
  return `${minute} ${hour} ${days[kind as keyof typeof days]}`;
}

/** Whether everything that the kind needs was entered. Whether it makes sense is for the service to say. */
function isComplete({ kind, time, monthDay, count, at, cron, zone }: Plan): boolean {
  if (kind === 'interval') return count !== '' && Number.isFinite(Number(count));
  if (kind === 'once') return at !== '';
  if (zone.trim() === '') return false;
  return kind === 'cron' ? cron.trim() !== '' : time !== '' && (kind !== 'monthly' || monthDay !== '');
}

/** The plan as the API takes it; null while it is incomplete. */
export function toTiming(plan: Plan): Timing | null {
  if (!isComplete(plan)) return null;
  const { kind, count, unit, at } = plan;
  if (kind === 'interval') return { interval_seconds: Math.round(Number(count) * unitSeconds[unit]), time_zone: plan.zone };
  // The field shows this browser's clock.
  if (kind === 'once') return { run_at: Math.floor(new Date(at).getTime() / 1000), time_zone: browserZone };
  return { cron: toCron(plan), time_zone: plan.zone.trim() };
}
