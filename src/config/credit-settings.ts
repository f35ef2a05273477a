import { z } from 'zod';
import { type CreditPlans, usualCreditPlans } from '../rules/credits/credit-balance.ts';
import { plans } from '../rules/accounts/access.ts';
import { WrongValue } from './setting.ts';

const amount = z.int().min(0).max(1_000_000_000).optional();
const shape = z.strictObject(
  Object.fromEntries(plans.map((plan) => [plan, z.strictObject({ monthly: amount, daily: amount }).optional()])),
);

/** A JSON object that maps plans to `{monthly, daily}`. */
export function readCreditPlans(text: string): CreditPlans {
  try {
    const given = shape.parse(JSON.parse(text)) as Partial<Record<string, object>>;
    return Object.freeze(
      Object.fromEntries(plans.map((plan) => [plan, { ...usualCreditPlans[plan], ...given[plan] }])),
    ) as CreditPlans;
  } catch {
    throw new WrongValue(`must be a JSON object that gives ${plans.join(', ')} numbers of monthly and daily credits`);
  }
}
