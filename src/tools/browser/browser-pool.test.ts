import { describe, expect, it } from 'vitest';
import { BrowserPool, type Pooled } from './browser-pool.ts';

class Browser implements Pooled {
  readonly accountId: string;
  isBusy = false;
  timesPutAway = 0;

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  putAway(): Promise<void> {
    this.timesPutAway += 1;
    return Promise.resolve();
  }
}

describe('the browsers of a process', () => {
  it('give way: of the account with most, the one that was idle for longest, and none that is busy', async () => {
    const pool = new BrowserPool(3);
    const [one, two, three, other] = [new Browser('a'), new Browser('a'), new Browser('b'), new Browser('b')];
    for (const browser of [one, two, three]) await pool.admit(browser);
    await pool.admit(one);
    await pool.admit(other);
    expect([one, two, three].map(({ timesPutAway }) => timesPutAway)).toEqual([0, 1, 0]);
    other.isBusy = true;
    await pool.admit(two);
    expect([one, three, other].map(({ timesPutAway }) => timesPutAway)).toEqual([0, 1, 0]);
    expect(pool.size).toBe(3);
    pool.remove(two);
    await pool.admit(three);
    expect(one.timesPutAway).toBe(0);
  });
});
