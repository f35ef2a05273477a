import { type CreditPlans, nextRefreshMs, type PlanCredits } from '../../../rules/credits/credit-balance.ts';
import type { CreditPrice } from '../../../rules/credits/credit-price.ts';
import { type Balance, readBalance, settleCredits } from '../../../store/credits/credit-balances.ts';
import type { CreditDemand } from '../../../store/credits/credit-checks.ts';
import type { Database } from '../../../store/db/database.ts';

/** What operations need to know about credits. */
export interface CreditService {
  /** The current balance, including due grants. */
  balanceOf(accountId: string, now: number): Promise<Balance>;
  planOf(balance: Balance): PlanCredits;
  /** Whether work without credits is refused. */
  readonly isEnforced: boolean;
  /** What a credit is worth. */
  readonly price: CreditPrice;
  /** What work must be able to pay in order to start; null if credits are not enforced. */
  demandFor(accountId: string, now: number): Promise<CreditDemand | null>;
}

export interface CreditServiceParts {
  database: Pick<Database, 'run'>;
  plans: CreditPlans;
  price: CreditPrice;
  isEnforced: boolean;
}

export function createCreditService({ database, plans, price, isEnforced }: CreditServiceParts): CreditService {
  const balanceOf = async (accountId: string, now: number): Promise<Balance> => {
    const args = { accountId, plans, now };
    const known = await database.run(readBalance, args);
    if (known) return known;
    let balance = await database.run(settleCredits, args);
    while (balance.hasMore) balance = await database.run(settleCredits, args);
    return balance;
  };
  return {
    balanceOf,
    isEnforced,
    price,
    planOf: ({ plan }) => plans[plan],
    async demandFor(accountId, now) {
      if (!isEnforced) return null;
      const { plan } = await balanceOf(accountId, now);
      const nextMs = nextRefreshMs(plans[plan], now);
      return { refreshInMs: nextMs === null ? null : nextMs - now };
    },
  };
}
