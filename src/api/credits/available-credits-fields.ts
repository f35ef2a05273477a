import { z } from 'zod';
import { nextRefreshMs } from '../../rules/credits/credit-balance.ts';
import type { Context } from '../contract/operation.ts';

/** What an account has (docs/reference/wire-format.md#usage). */
export const availableCreditsFields = {
  total_credits: z.int().meta({ description: 'The sum of all records; negative if the account is overdrawn.' }),
  free_credits: z.int().meta({ description: 'Refunds, minus any negative balance.' }),
  periodic_credits: z.int().meta({ description: 'Remaining monthly credits of the plan.' }),
  addon_credits: z.int().meta({ description: 'Remaining credits granted by the operator.' }),
  pro_monthly_credits: z.int().meta({ description: 'The balance the plan tops up to on the first of each month.' }),
  event_credits: z.int(),
  refresh_credits: z.int().meta({ description: 'Remaining daily credits of the plan.' }),
  max_refresh_credits: z.int().meta({ description: 'The balance the plan tops up to every midnight.' }),
  next_refresh_time: z.int().meta({ description: 'Unix time in seconds; 0 if the plan has no daily credits.' }),
  refresh_interval: z.enum(['daily', '']),
};

/** What the caller's account has. */
export function readAvailableCredits(context: Context) {
  return readCreditsOf(context.principal.accountId, context);
}

/** The credits of any account. */
export async function readCreditsOf(accountId: string, { credits, now }: Context) {
  const balance = await credits.balanceOf(accountId, now);
  const plan = credits.planOf(balance);
  const refreshMs = nextRefreshMs(plan, now);
  const { free, periodic, addon, event, refresh } = balance.credits;
  return {
    total_credits: balance.total,
    free_credits: free,
    periodic_credits: periodic,
    addon_credits: addon,
    pro_monthly_credits: plan.monthly,
    event_credits: event,
    refresh_credits: refresh,
    max_refresh_credits: plan.daily,
    next_refresh_time: refreshMs === null ? 0 : refreshMs / 1000,
    refresh_interval: refreshMs === null ? ('' as const) : ('daily' as const),
  };
}
