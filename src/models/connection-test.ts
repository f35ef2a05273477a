import type { Clock } from '@errand/base/clock.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { type Model, ModelFault, type ModelRequest } from './model.ts';

/** Asked to test a connection: one short question. */
const shortQuestion: ModelRequest = {
  system: 'You check that a connection works.',
  transcript: [{ role: 'user', text: 'Answer with the word ready.' }],
  tools: [],
};

/** How long a model may take to answer it. */
export const answerTimeoutMs = 20_000;
const longestProblem = 400;

/** Asks a model one short question, which tests URL, key, and name. Rejects only with the reason of the caller's abort. */
export async function testConnection(
  model: Model,
  clock: Clock,
  caller: AbortSignal,
): Promise<{ latencyMs: number; problem: string | null }> {
  const late = new AbortController();
  const timer = clock.setTimer(() => late.abort(new Error(`no answer within ${answerTimeoutMs / 1000} s`)), answerTimeoutMs);
  const startedAt = clock.monotonic();
  const passed = () => Math.round(clock.monotonic() - startedAt);
  try {
    await model.call(shortQuestion, { signal: AbortSignal.any([caller, late.signal]), onText: () => undefined });
    return { latencyMs: passed(), problem: null };
  } catch (error) {
    caller.throwIfAborted();
    const detail = error instanceof ModelFault && error.detail !== undefined ? `: ${error.detail}` : '';
    const said = cleanLine(`${(error as Error).message}${detail}`, longestProblem);
    return { latencyMs: passed(), problem: said.replace(`${model.name}: `, '') };
  } finally {
    timer.cancel();
  }
}
