import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { type Attempt, clearAttempts, deleteExpiredAttempts, takeAttempt } from './sign-in-attempts.ts';

const windowMs = 15 * 60 * 1000;
const of = (name: string, count: number): Attempt => ({ name, count, windowMs });

describeStores('attempts', (store) => {
  const everywhere = () => [store.database, ...store.others];

  it('are counted across all processes', async () => {
    const tries = Array.from({ length: 60 }, (_, index) =>
      (everywhere()[index % 3] ?? store.database).run(takeAttempt, [of('a', 10)]),
    );
    const waits = await Promise.all(tries);
    expect(waits.filter((waitS) => waitS === 0)).toHaveLength(10);
    for (const waitS of waits) expect(waitS === 0 || (waitS > 60 && waitS <= 90)).toBe(true);
  });

  it('count for all of their names or for none', async () => {
    const take = (...names: string[]) =>
      store.database.run(
        takeAttempt,
        names.map((name) => of(name, name === 'narrow' ? 2 : 4)),
      );
    for (let round = 0; round < 20; round++) await take('narrow', 'wide');
    expect([await take('wide'), await take('wide'), (await take('wide')) > 0]).toEqual([0, 0, true]);
  });

  it('are reset for one name only, and removed once their count is back to zero', async () => {
    for (const name of ['a', 'b']) for (let round = 0; round < 3; round++) await store.database.run(takeAttempt, [of(name, 3)]);
    await store.database.run(clearAttempts, 'a');
    expect(await store.database.run(takeAttempt, [of('a', 3)])).toBe(0);
    expect(await store.database.run(takeAttempt, [of('b', 3)])).toBeGreaterThan(0);
    expect(await store.database.run(deleteExpiredAttempts, { limit: 10 })).toBe(0);
    await store.query('UPDATE attempts SET busy_until = 1');
    expect(await store.database.run(deleteExpiredAttempts, { limit: 1 })).toBe(1);
    expect(await store.database.run(deleteExpiredAttempts, { limit: 10 })).toBe(1);
  });

  it('do not store what people typed', async () => {
    await store.database.run(takeAttempt, [of('sign-in my-password@typed-here', 3)]);
    expect(JSON.stringify(await store.query('SELECT * FROM attempts'))).not.toContain('my-password');
  });
});
