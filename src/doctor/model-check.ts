import type { Clock } from '@errand/base/clock.ts';
import { testConnection } from '../models/connection-test.ts';
import { openModels } from '../models/model-registry.ts';
import type { Model } from '../models/model.ts';
import type { Check, DoctorContext } from './check.ts';

const name = 'model';

async function checkModel(model: Model, profiles: readonly string[], isPriced: boolean, clock: Clock): Promise<Check> {
  const found = `${model.name} for ${profiles.join(', ')}`;
  const { latencyMs, problem } = await testConnection(model, clock, new AbortController().signal);
  if (model.name.startsWith('offline/')) {
    const remedy =
      'run Ollama or LM Studio on this machine, or set ERRAND_MODEL=provider/model with ERRAND_MODEL_API_KEY; errand model test tries models that are set in the service';
    return { name, state: 'missing', found: `${found}: no model is configured; it executes simple scripted commands`, remedy };
  }
  if (problem !== null) {
    const remedy = 'check ERRAND_MODEL, ERRAND_MODEL_API_KEY and ERRAND_MODEL_BASE_URL; until then, tasks end with an error';
    return { name, state: 'missing', found: `${found}: ${problem}`, remedy };
  }
  const price = isPriced ? '' : '; its price is unknown, so each session costs one credit (ERRAND_PRICES sets it)';
  return { name, state: 'ok', found: `${found}: answered in ${latencyMs} ms${price}` };
}

/** Asks each configured model one short question, which tests URL, key and name. */
export async function checkModels({ config, clock }: DoctorContext): Promise<Check[]> {
  const models = await openModels({ ...config.models, ...config.secrets.models, prices: config.prices }, { clock });
  const used = Object.entries(models).flatMap(([profile, model]) => [
    [profile, model] as const,
    ...(model.fallbacks ?? []).map((fallback) => [`${profile} (fallback)`, fallback] as const),
  ]);
  const byName = Map.groupBy(used, ([, model]) => model.name);
  const checks = Array.from(byName.values(), (entries) => {
    const [first] = entries;
    const isPriced = entries.every(([, { price }]) => price !== null);
    const profiles = entries.map(([profile]) => profile);
    return first ? [checkModel(first[1], profiles, isPriced, clock)] : [];
  });
  return Promise.all(checks.flat());
}
