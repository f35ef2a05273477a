import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog } from '@errand/base/log.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { retryWhileAway } from './away-database.ts';

function createHost() {
  const [output, interrupt] = [new PassThrough(), new AbortController()];
  const lines = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean);
  return { clock: new TestClock(), log: createLog('info', output), signal: interrupt.signal, interrupt, lines };
}

const problem = 'ERRAND_DATABASE_URL: cannot use the database';

function failing(times: number, code: string, message = 'gone') {
  const tried = { count: 0 };
  const attempt = () => {
    tried.count += 1;
    if (tried.count > times) return Promise.resolve('open');
    return Promise.reject(new StartFault(`${problem}: ${message}`, Object.assign(new Error(message), { code })));
  };
  return { tried, attempt };
}

describe('a start while the database is away', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', '57P03', '57P01', '53300'])('waits after %s, and says so once', async (code) => {
    const host = createHost();
    const opened = retryWhileAway(host, failing(3, code).attempt);
    await host.clock.advance(2000);
    expect(await opened).toBe('open');
    const lines = host.lines();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'waiting up to 60 s for the database',
      problem: `${problem}: gone`,
    });
  });

  it('waits after a connection that broke without a code', async () => {
    const host = createHost();
    const opened = retryWhileAway(host, failing(1, '', 'Connection terminated unexpectedly').attempt);
    await host.clock.advance(500);
    expect(await opened).toBe('open');
  });

  it('fails after a minute with the last problem', async () => {
    const host = createHost();
    const refused = expect(retryWhileAway(host, failing(1000, 'ECONNREFUSED').attempt)).rejects.toEqual(
      new StartFault(`${problem}: gone; gave up after 60 s`),
    );
    await host.clock.advance(60_500);
    await refused;
  });

  it.each(['28P01', '3D000', '42501'])('fails at once after %s, which waiting does not mend', async (code) => {
    const { tried, attempt } = failing(1000, code);
    await expect(retryWhileAway(createHost(), attempt)).rejects.toThrow(problem);
    expect(tried.count).toBe(1);
  });

  it('ends when it is interrupted', async () => {
    const host = createHost();
    const refused = expect(retryWhileAway(host, failing(1000, 'ECONNREFUSED').attempt)).rejects.toThrow(`${problem}: gone`);
    await new Promise(setImmediate);
    host.interrupt.abort();
    await refused;
  });
});
