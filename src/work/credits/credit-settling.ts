import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { noCreditPlans } from '../../rules/credits/credit-balance.ts';
import { findUnsettled, settleCredits } from '../../store/credits/credit-balances.ts';
import { findUnfolded, foldCalls } from '../../store/credits/model-usage.ts';
import type { Database } from '../../store/db/database.ts';

const accountsAtOnce = 256;

export interface SettlingParts {
  database: Database;
  clock: Clock;
  log: Log;
}

/** Something that is added up account by account. */
interface Addition {
  findAccounts(page: { afterAccount: string; limit: number }): Promise<string[]>;
  /** True if more of the account is left. */
  addUp(accountId: string): Promise<boolean>;
}

/** An account that fails does not keep the others waiting. */
async function addUpAll({ findAccounts, addUp }: Addition, log: Log, goesOn: () => boolean): Promise<void> {
  let afterAccount = '';
  while (goesOn()) {
    const accountIds = await findAccounts({ afterAccount, limit: accountsAtOnce });
    for (const accountId of accountIds) {
      try {
        while (goesOn() && (await addUp(accountId)));
      } catch (error) {
        log.warn(
          { err: error, account_id: accountId },
          'what an account has used could not be added up; it is tried again later',
        );
      }
    }
    if (accountIds.length < accountsAtOnce) return;
    afterAccount = accountIds.at(-1) ?? '';
  }
}

/**
 * Settles the records of accounts whose balance nobody has requested, so that the next request does not have to add up years of records, and
 * adds model calls to the sums of their days. It grants nothing: grants are applied on read.
 */
export async function settleAll({ database, clock, log }: SettlingParts, goesOn: () => boolean): Promise<void> {
  const settled: Addition = {
    findAccounts: (page) => database.run(findUnsettled, page),
    addUp: async (accountId) =>
      (await database.run(settleCredits, { accountId, plans: noCreditPlans, now: clock.now() })).hasMore,
  };
  const folded: Addition = {
    findAccounts: (page) => database.run(findUnfolded, page),
    addUp: (accountId) => database.run(foldCalls, { accountId }),
  };
  await addUpAll(settled, log, goesOn);
  await addUpAll(folded, log, goesOn);
}
