import { Fault, invalidField } from '@errand/base/fault.ts';
import { z } from 'zod';
import { dayMs } from '../../rules/credits/credit-balance.ts';
import type { TeamUsageArgs } from '../../store/credits/team-usage.ts';
import type { Context } from '../contract/operation.ts';

const usualDays = 30;
const maxDays = 366;

function queryTime(about: string) {
  const pattern = z.string().regex(/^\d{1,11}$/, 'must be a Unix time in seconds');
  return pattern
    .transform(Number)
    .optional()
    .meta({ shownAs: { type: 'integer', description: about } });
}

/** The range of whole UTC days. */
export const dayRange = {
  start_date: queryTime('Unix time in seconds; its whole day counts. Default: 30 days before the end.'),
  end_date: queryTime('Unix time in seconds; its whole day counts. Default: now.'),
};

interface DayRange {
  start_date?: number | undefined;
  end_date?: number | undefined;
}

export function readDayRange({ start_date: start, end_date: end }: DayRange, { principal, now }: Context): TeamUsageArgs {
  const untilMs = (Math.floor((end === undefined ? now : end * 1000) / dayMs) + 1) * dayMs;
  const fromMs = start === undefined ? untilMs - usualDays * dayMs : Math.floor((start * 1000) / dayMs) * dayMs;
  if (fromMs >= untilMs) throw invalidField('start_date', 'must not be after end_date');
  if (untilMs - fromMs > maxDays * dayMs) throw invalidField('start_date', `must be at most ${maxDays} days before end_date`);
  return { accountId: principal.accountId, plan: principal.plan, fromMs, untilMs };
}

/** The response to an account without a team (docs/reference/wire-format.md#usage). */
export function demandTeam<Found>(found: Found | null): Found {
  if (found === null) throw new Fault('permission_denied', 'this API is only available for team users');
  return found;
}

/** A display name, as accounts have none: the part of the address before the @. */
export function nameOf(email: string): string {
  return email.split('@', 1)[0] ?? email;
}
