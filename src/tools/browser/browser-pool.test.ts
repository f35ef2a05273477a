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

const never = new AbortController().signal;

describe('the browsers of a process', () => {
  it('give way: of the account with most, the one that was idle for longest, and none that is busy', async () => {
    const pool = new BrowserPool(3);
    const [one, two, three, other] = [new Browser('a'), new Browser('a'), new Browser('b'), new Browser('b')];
    for (const browser of [one, two, three]) await pool.admit(browser, never);
    await pool.admit(one, never);
    await pool.admit(other, never);
    expect([one, two, three].map(({ timesPutAway }) => timesPutAway)).toEqual([0, 1, 0]);
    other.isBusy = true;
    await pool.admit(two, never);
    expect([one, three, other].map(({ timesPutAway }) => timesPutAway)).toEqual([0, 1, 0]);
    expect(pool.size).toBe(3);
    pool.remove(two);
    await pool.admit(three, never);
    expect(one.timesPutAway).toBe(0);
  });
});

describe('a browser for which there is no room', () => {
  it('waits until one is no longer busy, and makes no more of them than there may be', async () => {
    const pool = new BrowserPool(2);
    const [one, two, three, other] = [new Browser('a'), new Browser('a'), new Browser('b'), new Browser('b')];
    for (const browser of [one, two]) {
      await pool.admit(browser, never);
      browser.isBusy = true;
    }
    const admitted: Browser[] = [];
    for (const browser of [three, other]) void pool.admit(browser, never).then(() => admitted.push(browser));
    two.isBusy = false;
    three.isBusy = true;
    pool.noteIdle();
    await expect.poll(() => admitted).toEqual([three]);
    expect([two.timesPutAway, pool.size]).toEqual([1, 2]);
    // One that has a slot keeps it.
    await pool.admit(one, never);
    pool.remove(one);
    await expect.poll(() => admitted).toEqual([three, other]);
    expect([one.timesPutAway, pool.size]).toEqual([0, 2]);
  });

  it('gives up with its signal', async () => {
    const pool = new BrowserPool(1);
    const [one, two] = [new Browser('a'), new Browser('a')];
    await pool.admit(one, never);
    one.isBusy = true;
    const stop = new AbortController();
    const waiting = pool.admit(two, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(pool.size).toBe(1);
  });
});
