import type { Clock } from '@errand/base/clock.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import { type Model, ModelFault } from '../../models/model.ts';
import type { OpenedProfiles } from '../../models/model-registry.ts';
import { costOf, costPerCredit } from '../../rules/credits/pricing.ts';
import { isOwnModel } from '../../rules/instance/own-model.ts';
import type { TokenUsage } from '../../rules/events/task-event.ts';

/** The label of all models with keys of accounts: their names are what accounts write. */
const ownLabel = 'own';

function meterModel(inner: Model, metrics: Metrics, clock: Clock): Model {
  const model = isOwnModel(inner.name) ? ownLabel : inner.name;
  const noteEnd = (outcome: string, usage: TokenUsage | null) => {
    metrics.count('errand_model_calls_total', { model, outcome });
    if (usage === null) return;
    for (const kind of ['input', 'output', 'cached', 'written'] as const) {
      metrics.count('errand_model_tokens_total', { model, kind }, usage[kind] ?? 0);
    }
    metrics.count('errand_model_credits_total', { model }, costOf(usage, inner.price) / costPerCredit);
  };
  const noteTime = (startedAt: number) =>
    metrics.observe('errand_model_call_duration_seconds', { model }, (clock.monotonic() - startedAt) / 1000);
  const call: Model['call'] = async (request, options) => {
    const startedAt = clock.monotonic();
    try {
      const reply = await inner.call(request, options);
      noteEnd('replied', reply.usage);
      return reply;
    } catch (error) {
      const isFault = error instanceof ModelFault;
      noteEnd(isFault ? error.kind : 'stopped', isFault ? error.usage : null);
      throw error;
    } finally {
      noteTime(startedAt);
    }
  };
  const replyAtOnce: Model['replyAtOnce'] = (request, onText) => {
    const startedAt = clock.monotonic();
    const reply = inner.replyAtOnce?.(request, onText) ?? null;
    if (reply === null) return null;
    noteEnd('replied', reply.usage);
    noteTime(startedAt);
    return reply;
  };
  const fallbacks = inner.fallbacks?.map((one) => meterModel(one, metrics, clock));
  return { ...inner, ...(fallbacks && { fallbacks }), call, ...(inner.replyAtOnce && { replyAtOnce }) };
}

/** Models whose calls are also counted and timed, by the names in the settings of the operator. */
export function meterProfiles(opened: OpenedProfiles, metrics: Metrics, clock: Clock): OpenedProfiles {
  return Object.fromEntries(
    Object.entries(opened).map(([profile, one]) => [profile, { ...one, model: meterModel(one.model, metrics, clock) }]),
  ) as OpenedProfiles;
}
