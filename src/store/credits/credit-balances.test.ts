import { expect, it } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { usualCreditPlans } from '../../rules/credits/credit-balance.ts';
import { createAccount } from '../accounts/accounts.ts';
import type { Row } from '../db/store-operation.ts';
import { type Balance, settleCredits } from './credit-balances.ts';

it('settles any number of records and adds up each once', async () => {
  const database = new MemoryDatabase(new TestClock());
  const accountId = newAccountId();
  const now = Date.UTC(2026, 5, 10, 12);
  await database.run(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: now - 1000 });
  database.query(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
     INSERT INTO usage_records (account_id, id, type, credits, task_id, session, title, kind, created_at, settled)
     SELECT ?, 'r' || i, 'cost', -1, NULL, NULL, 'x', 'addon', ?, 0 FROM n RETURNING id`,
    accountId,
    nextMs(),
  );
  let summed = 0;
  /** Runs the operation and counts the unsettled records that its statements add up. */
  const settle = (): Balance => {
    const script = settleCredits.run({ accountId, plans: usualCreditPlans, now });
    for (let step = script.next([]); ; ) {
      if (step.done) return step.value;
      const answers = step.value.map(({ sql, params }): Row[] => {
        if (sql.includes('SUM(')) summed += database.query('SELECT 1 FROM usage_records WHERE settled = 0').length;
        return database.query(sql, ...params) as unknown as Row[];
      });
      step = script.next(answers);
    }
  };
  let balance = settle();
  let calls = 1;
  for (; balance.hasMore; calls += 1) balance = settle();
  expect(calls).toBe(5);
  expect(summed).toBe(0);
  expect(balance.total).toBe(4000 + 300 - 9000);
  const [{ sum } = { sum: 0 }] = database.query('SELECT SUM(credits) AS sum FROM usage_records');
  expect(sum).toBe(balance.total);
  await database.close();
});
