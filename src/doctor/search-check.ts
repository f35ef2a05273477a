import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import { buildSearchEngine } from '../app/build-tools.ts';

const patienceMs = 10_000;

export interface SearchCheck {
  /** How many results one question had. */
  found: number;
  /** Why there was no answer; null when there was one. */
  problem: string | null;
}

/** Asks the search engine of the configuration one question. */
export async function trySearch(config: Config, clock: Clock): Promise<SearchCheck> {
  const engine = buildSearchEngine(config, clock);
  if (!engine) return { found: 0, problem: 'none is configured' };
  const deadline = new AbortController();
  const timer = clock.setTimer(() => deadline.abort(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs);
  try {
    const hits = await engine.search('errand', 3, deadline.signal);
    return { found: hits.length, problem: null };
  } catch (error) {
    return { found: 0, problem: (error as Error).message };
  } finally {
    timer.cancel();
  }
}
