import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { noCreditPlans } from '../../rules/credits/credit-balance.ts';
import { findUnsettled, settleCredits } from '../../store/credits/credit-balances.ts';
import type { Database } from '../../store/db/database.ts';

const accountsAtOnce = 256;

export interface SettlingParts {
  database: Database;
  clock: Clock;
  log: Log;
}

/**
 * Settles the records of accounts whose balance nobody has requested, so that the next request does not have to add up years of records. It
 * grants nothing: grants are applied on read.
 */
export async function settleAll({ database, clock, log }: SettlingParts, goesOn: () => boolean): Promise<void> {
  let afterAccount = '';
  while (goesOn()) {
    const accountIds = await database.run(findUnsettled, { afterAccount, limit: accountsAtOnce });
    for (const accountId of accountIds) {
      const settle = () => database.run(settleCredits, { accountId, plans: noCreditPlans, now: clock.now() });
      try {
        while (goesOn() && (await settle()).hasMore);
      } catch (error) {
        log.warn({ err: error, account_id: accountId }, 'a balance could not be added up; it is tried again later');
      }
    }
    if (accountIds.length < accountsAtOnce) return;
    afterAccount = accountIds.at(-1) ?? '';
  }
}
