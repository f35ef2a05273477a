import { z } from 'zod';
import { type Fault, invalidField, missingField } from '@errand/base/fault.ts';
import { readCron } from '../../rules/schedules/cron.ts';
import { readTimeZone } from '../../rules/schedules/time-zone.ts';
import { nextTime, type Timing } from '../../rules/schedules/timing.ts';
import { optional } from '../contract/fields.ts';

const latest = 253_402_300_799;
const timeProblem = 'must be a Unix time in seconds';
const time = z.int(timeProblem).min(0, timeProblem).max(latest, timeProblem);
const mostSeconds = 366 * 24 * 60 * 60;
const intervalProblem = `must be a number of seconds from 1 to ${mostSeconds}`;

const kinds = {
  cron: optional(z.string()).meta({
    description: 'Minute, hour, day of the month, month, day of the week, such as `0 9 * * mon-fri`.',
  }),
  interval_seconds: optional(z.int(intervalProblem).min(1, intervalProblem).max(mostSeconds, intervalProblem)).meta({
    description: 'Seconds between two runs, counted from start_at, or from now without one.',
  }),
  run_at: optional(time).meta({ description: 'The time of a single run: Unix time in seconds.' }),
  time_zone: optional(z.string()).meta({ description: 'The time zone of the cron, such as `Europe/Berlin`. Default: `UTC`.' }),
};

const bounds = {
  start_at: 'Nothing runs before this time. Unix time in seconds.',
  end_at: 'Nothing runs after this time. Unix time in seconds.',
};

/** When a schedule runs, in a request that makes one. */
export const timingFields = {
  ...kinds,
  start_at: optional(time).meta({ description: bounds.start_at }),
  end_at: optional(time).meta({ description: bounds.end_at }),
};

/** When a schedule runs, in a request that changes it. */
export const timingChanges = {
  ...kinds,
  start_at: time.nullish().meta({ description: bounds.start_at }),
  end_at: time.nullish().meta({ description: bounds.end_at }),
};

export type TimingInput = { [Field in keyof typeof timingChanges]?: z.output<(typeof timingChanges)[Field]> };

/** What a request changes if it names nothing. */
const noTiming = {
  ...{ cron: null, intervalSeconds: null, runAtMs: null, timeZone: 'UTC' },
  ...{ startAtMs: null, endAtMs: null, anchorAtMs: 0 },
} as const satisfies Timing;

type Kind = Pick<Timing, 'cron' | 'intervalSeconds' | 'runAtMs'>;

function toMs(seconds: number | null | undefined, current: number | null): number | null {
  return seconds === undefined ? current : seconds === null ? null : seconds * 1000;
}

/** The kind that a request names; null if it names none. */
function readKind({ cron, interval_seconds: seconds, run_at: runAt }: TimingInput): Kind | null {
  const named = Object.entries({ cron, interval_seconds: seconds, run_at: runAt }).filter(([, value]) => value !== undefined);
  const [first, second] = named;
  if (first && second) throw invalidField(second[0], `cannot be combined with ${first[0]}`);
  if (!first) return null;
  if (cron !== undefined) readCron(cron);
  return { cron: cron?.trim() ?? null, intervalSeconds: seconds ?? null, runAtMs: toMs(runAt, null) };
}

function nothingLeft({ runAtMs, endAtMs, cron }: Timing): Fault {
  if (runAtMs !== null) return invalidField('run_at', 'must be in the future, and not before start_at or after end_at');
  if (endAtMs !== null) return invalidField('end_at', 'must leave time for at least one run');
  return invalidField(cron === null ? 'interval_seconds' : 'cron', 'can never fire');
}

/** The timing that a request describes, from the current one if there is one; 400 names the field if nothing would ever run. */
export function readTiming(input: TimingInput, current: Timing | null, now: number): Timing {
  const kind = readKind(input);
  if (kind === null && current === null) throw missingField('cron', ': give one of cron, interval_seconds and run_at');
  const before = current ?? noTiming;
  const timeZone = input.time_zone ? readTimeZone(input.time_zone) : before.timeZone;
  const startAtMs = toMs(input.start_at, before.startAtMs);
  const endAtMs = toMs(input.end_at, before.endAtMs);
  if (startAtMs !== null && endAtMs !== null && endAtMs < startAtMs) throw invalidField('end_at', 'must not be before start_at');
  const isAnchored = kind === null && startAtMs === before.startAtMs;
  const anchorAtMs = isAnchored ? before.anchorAtMs : (startAtMs ?? Math.floor(now / 1000) * 1000);
  return { ...before, ...kind, timeZone, startAtMs, endAtMs, anchorAtMs };
}

/** The next run; 400 names the field that leaves none. */
export function findNextRun(timing: Timing, now: number): number {
  const next = nextTime(timing, now);
  if (next === null) throw nothingLeft(timing);
  return next;
}
