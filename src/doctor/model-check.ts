import type { Clock } from '@errand/base/clock.ts';
import type { Config } from '../config/config.ts';
import { openModels } from '../models/model-registry.ts';

export interface ModelCheck {
  /** `provider/model` */
  name: string;
  profiles: string[];
  /** Those of them whose sessions cost one credit, because nobody said what the model costs. */
  unpriced: string[];
  /** Milliseconds until it had answered; null when it did not. */
  tookMs: number | null;
  problem: string | null;
}

const request = {
  system: 'You check that a connection works.',
  transcript: [{ role: 'user' as const, text: 'Answer with the word ready.' }],
  tools: [],
};

/** Asks each configured model one short question, which proves address, key and name at once. Never throws for a model that fails. */
export async function tryModels(config: Config, clock: Clock, deadlineMs: number): Promise<ModelCheck[]> {
  const models = await openModels({ ...config.models, ...config.secrets.models, prices: config.prices }, { clock });
  const names = [...new Set(Object.values(models).map(({ name }) => name))];
  return Promise.all(
    names.map(async (name) => {
      const own = Object.entries(models).filter(([, model]) => model.name === name);
      const profiles = own.map(([profile]) => profile);
      const unpriced = own.flatMap(([profile, { price }]) => (price === null ? [profile] : []));
      const model = Object.values(models).find((candidate) => candidate.name === name);
      const deadline = new AbortController();
      const timer = clock.setTimer(() => deadline.abort(new Error(`no answer within ${deadlineMs / 1000} s`)), deadlineMs);
      const startedAt = clock.monotonic();
      try {
        await model?.call(request, { signal: deadline.signal, onText: () => undefined });
        return { name, profiles, unpriced, tookMs: Math.round(clock.monotonic() - startedAt), problem: null };
      } catch (error) {
        return { name, profiles, unpriced, tookMs: null, problem: (error as Error).message };
      } finally {
        timer.cancel();
      }
    }),
  );
}
