import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId } from '../../../test/support/db/store-samples.ts';
import { deleteExpiredSecurityEvents, listSecurityEvents, recordSecurityEvent } from './security-events.ts';

const dayMs = 24 * 60 * 60 * 1000;

describeStores('the security record of an account', (store) => {
  it('is read newest first, and goes back 400 days', async () => {
    const accountId = newAccountId();
    const record = (day: number) => {
      const event = { accountId, atMs: day * dayMs, kind: 'signed_in' as const, actor: 'test', detail: { day: `${day}` } };
      return store.database.run(recordSecurityEvent, event);
    };
    for (const day of [1, 2, 3]) await record(day);
    const list = async (beforeId: string | null, limit = 5) =>
      store.database.run(listSecurityEvents, { accountId, beforeId, limit });
    const [newest] = await list(null, 1);
    expect(newest).toMatchObject({ atMs: 3 * dayMs, kind: 'signed_in', detail: { day: '3' } });
    expect((await list(newest?.id ?? '')).map(({ detail }) => detail.day)).toEqual(['2', '1']);
    expect(await store.database.run(deleteExpiredSecurityEvents, { now: 402 * dayMs, limit: 1 })).toBe(1);
    expect(await store.database.run(deleteExpiredSecurityEvents, { now: 402 * dayMs, limit: 5 })).toBe(1);
    expect((await list(null)).map(({ detail }) => detail.day)).toEqual(['3']);
  });
});
