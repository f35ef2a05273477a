import { z } from 'zod';
import { type CreditPlans, usualCreditPlans } from '../rules/credits/credit-balance.ts';
import { plans } from '../rules/accounts/access.ts';
import type { CreditPrice } from '../rules/credits/credit-price.ts';
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

/** A price such as `0.01 USD`. */
export function readCreditPrice(text: string): CreditPrice {
  const [, worth = '', currency = ''] = /^(\d{1,4}(?:\.\d{1,6})?) ([A-Z]{3})$/.exec(text) ?? [];
  const micros = Math.round(Number(worth) * 1_000_000);
  if (currency === '' || micros === 0) throw new WrongValue('must be an amount above 0 and a currency, such as 0.01 USD');
  return Object.freeze({ micros, currency });
}
