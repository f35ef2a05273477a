import { describe, expect, it } from 'vitest';
import { StartFault } from '@errand/base/start-fault.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { TestHost } from '../../../test/support/cli/test-shell.ts';
import { retryWhileBusy } from './busy-folder.ts';

/** The store's error for a folder in use by another process. */
function busy(): StartFault {
  return new StartFault(
    'ERRAND_DATA_DIR: another errand process is using /x',
    Object.assign(new Error('locked'), { errcode: 5 }),
  );
}

function failing(times: number, failure: () => Error) {
  let count = 0;
  return {
    attempt: async () => {
      if (count++ < times) throw failure();
      return 'open';
    },
    count: () => count,
  };
}

const never = async () => false;

describe('a data folder that another process uses', () => {
  it('is opened as soon as it is free, and the wait is reported once', async () => {
    const clock = new TestClock();
    const host = new TestHost({}, { clock });
    const folder = failing(3, busy);
    const opened = retryWhileBusy(host, folder.attempt, never);
    await clock.advance(1000);
    expect(await opened).toBe('open');
    expect(host.stderr.text).toBe('waiting for another errand process on this data folder\n');
  });

  it('fails after half a minute', async () => {
    const clock = new TestClock();
    const opened = retryWhileBusy(new TestHost({}, { clock }), failing(1000, busy).attempt, never);
    const end = expect(opened).rejects.toThrow('another errand process');
    await clock.advance(31_000);
    await end;
  });

  it('fails immediately if a service serves it, the wait is interrupted, or there is another error', async () => {
    const served = failing(9, busy);
    await expect(retryWhileBusy(new TestHost(), served.attempt, async () => true)).rejects.toThrow('another errand process');
    const host = new TestHost();
    host.interrupt.abort();
    const interrupted = failing(9, busy);
    await expect(retryWhileBusy(host, interrupted.attempt, never)).rejects.toThrow('another errand process');
    const damaged = failing(9, () => new StartFault('damaged'));
    await expect(retryWhileBusy(new TestHost(), damaged.attempt, never)).rejects.toThrow('damaged');
    expect([served.count(), interrupted.count(), damaged.count()]).toEqual([1, 1, 1]);
  });
});
