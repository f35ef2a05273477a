import type { Clock } from '@errand/base/clock.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import type { Config } from '../config/config.ts';

/** The result of a check. `missing`: the service runs with fewer features; `failed`: it cannot run. */
export interface Check {
  name: string;
  state: 'ok' | 'missing' | 'failed';
  found: string;
  remedy?: string;
}

/** What checks need to know. */
export interface DoctorContext {
  config: Config;
  clock: Clock;
  nodeVersion: string;
  /** Whether a service runs on the data folder. */
  isServed(): Promise<boolean>;
}

/** How long a model may take to respond. */
export const modelTimeoutMs = 20_000;

/** Why some work fails, on one line; null if it succeeds in time. Its signal aborts after `timeoutMs`. */
export async function findProblem(
  clock: Clock,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<string | null> {
  const deadline = new AbortController();
  const timer = clock.setTimer(() => deadline.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    await work(deadline.signal);
    return null;
  } catch (error) {
    return cleanLine((error as Error).message);
  } finally {
    timer.cancel();
  }
}
