import { expect, it } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createAccount } from '../../store/accounts/accounts.ts';
import { changeCredits } from '../../store/credits/credit-balances.ts';
import { settleAll } from './credit-settling.ts';

it('settles every account, even after one that fails, and grants nothing', async () => {
  const clock = new TestClock();
  const database = new MemoryDatabase(clock);
  const accountIds = Array.from({ length: 300 }, (_, index) => `account ${String(index).padStart(3, '0')}`);
  for (const [index, accountId] of accountIds.entries()) {
    // The seventh no longer exists.
    if (index !== 7)
      await database.run(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: 1 });
    const record = { accountId, recordId: `r${index}`, credits: index + 1, kind: 'addon', title: 'x', now: 1 } as const;
    await database.run(changeCredits, record);
  }
  await settleAll({ database, clock, log: silentLog }, () => true);
  expect(database.query('SELECT account_id FROM usage_records WHERE settled = 0')).toEqual([{ account_id: 'account 007' }]);
  expect(database.query('SELECT addon FROM credit_balances ORDER BY account_id').map(({ addon }) => addon)).toEqual(
    accountIds.flatMap((_, index) => (index === 7 ? [] : [index + 1])),
  );
  expect(database.query("SELECT id FROM usage_records WHERE type = 'grant'")).toHaveLength(300);
});
