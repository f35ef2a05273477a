import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { mostBudgetCredits } from '../../rules/budgets/budget.ts';
import { amountOf, type CreditPrice, creditsFor } from '../../rules/credits/credit-price.ts';
import { optional } from '../contract/fields.ts';

const about = {
  money:
    'The limit in money, in place of `credits`: it is the number of credits that the amount pays for. If both are given, the lower one counts.',
  amount: 'The amount, such as 2.5; at least the price of a credit.',
  currency:
    'The ISO 4217 code of the currency. Only the currency of the service (ERRAND_CREDIT_PRICE) is accepted, and it is the default.',
};

/** The limit of any budget in credits, in a request. */
export const limitField = z.int().min(1).max(mostBudgetCredits).meta({ description: 'A whole number of credits, at least 1.' });

/** The limit of any budget in money, in a request. */
export const moneyField = z
  .object({
    amount: z.number().positive().max(mostBudgetCredits).meta({ description: about.amount }),
    currency: optional(z.string()).meta({ description: about.currency }),
  })
  .meta({ description: about.money });

export interface LimitInput {
  credits?: number | null | undefined;
  money?: z.output<typeof moneyField> | undefined;
}

/** The limit in credits; 400 without one, or for an amount that pays for none. `within` begins the names of the fields. */
export function readLimit({ credits, money }: LimitInput, price: CreditPrice, within = ''): number {
  if (!money) {
    if (typeof credits === 'number') return credits;
    throw missingField(`${within}credits`);
  }
  const { currency, micros } = price;
  if (money.currency && money.currency !== currency) {
    throw invalidField(`${within}money.currency`, `must be ${currency}, the currency of this service`);
  }
  const bought = Math.min(creditsFor(money.amount, price), mostBudgetCredits);
  if (bought === 0) {
    throw invalidField(`${within}money.amount`, `must pay for one credit, which costs ${micros / 1_000_000} ${currency}`);
  }
  return Math.min(bought, credits ?? bought);
}

/** What a limit is in money. */
export const shownMoney = z
  .object({ amount: z.number(), currency: z.string() })
  .meta({ description: 'What the credits of the limit are worth in money.' });

/** What a limit is in money, with the part used and the part reserved. */
export const shownMoneyUse = z
  .object({ amount: z.number(), used: z.number(), reserved: z.number(), currency: z.string() })
  .meta({ description: 'What the credits of the limit, the used ones, and the reserved ones are worth in money.' });

export function presentMoney({ credits }: { credits: number }, price: CreditPrice): z.input<typeof shownMoney> {
  return { amount: amountOf(credits, price), currency: price.currency };
}

export function presentMoneyUse(
  { credits, used, reserved }: { credits: number; used: number; reserved: number },
  price: CreditPrice,
): z.input<typeof shownMoneyUse> {
  const { currency } = price;
  return { amount: amountOf(credits, price), used: amountOf(used, price), reserved: amountOf(reserved, price), currency };
}
