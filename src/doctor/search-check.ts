import { buildSearchEngine } from '../app/build-tools.ts';
import { type Check, type DoctorContext, findProblem } from './check.ts';

const timeoutMs = 10_000;

/** Sends the search engine one query, which tests URL and key. */
export async function checkSearch({ config, clock }: DoctorContext): Promise<Check> {
  const name = 'search';
  const engine = buildSearchEngine(config, clock);
  if (config.search === null || !engine) {
    const remedy = 'set ERRAND_SEARCH to searxng (with ERRAND_SEARCH_URL), brave or tavily (with ERRAND_SEARCH_API_KEY)';
    return { name, state: 'missing', found: 'agents cannot search the web', remedy };
  }
  let hitCount = 0;
  const problem = await findProblem(clock, timeoutMs, async (signal) => {
    hitCount = (await engine.search('errand', 3, signal)).length;
  });
  const { kind } = config.search;
  if (problem === null) return { name, state: 'ok', found: `${kind} answers with ${hitCount} results` };
  const remedy = 'check ERRAND_SEARCH, ERRAND_SEARCH_URL and ERRAND_SEARCH_API_KEY';
  return { name, state: 'missing', found: `${kind}: ${problem}`, remedy };
}
