import { type Clock, pause } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { StartFault } from '@errand/base/start-fault.ts';

/** How long a start waits for a database that is restarting; documented for operators. */
const timeoutMs = 60_000;
const delayMs = 500;

/** A server that is not there (yet), or that its name does not lead to. */
const unreachable = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
]);

/** A server that starts (57P03), stops (57P01, 57P02), lost the connection (08) or has none left (53300). */
const restarting = /^(57P0[123]|08\w{3}|53300)$/;

/** What the driver says, without a code, of a connection that broke or was not answered. */
const broken = /^(Connection terminated|timeout expired)/;

function isAway(error: unknown): error is StartFault {
  if (!(error instanceof StartFault) || !(error.cause instanceof Error)) return false;
  const { message } = error.cause;
  const code = 'code' in error.cause ? String(error.cause.code) : '';
  return unreachable.has(code) || restarting.test(code) || broken.test(message);
}

/** Retries for a minute while the PostgreSQL server is away, such as during its own restart; then fails with the last problem. */
export async function retryWhileAway<Result>(
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
  attempt: () => Promise<Result>,
): Promise<Result> {
  const startedMs = clock.monotonic();
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAway(error) || signal.aborted) throw error;
      if (clock.monotonic() - startedMs >= timeoutMs) {
        throw new StartFault(`${error.message}; gave up after ${timeoutMs / 1000} s`, error.cause);
      }
      if (tries === 1) log.warn({ problem: error.message }, `waiting up to ${timeoutMs / 1000} s for the database`);
      await pause(clock, delayMs, signal);
    }
  }
}
