import { type Clock, systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { chooseEndpoint, type ModelSettings, type EndpointRequest } from './providers/provider-endpoint.ts';
import type { Model } from './model.ts';
import { lookUpFacts, type ModelFacts } from './providers/model-facts.ts';
import { createOfflineModel, offlineName } from './offline/offline-model.ts';
import type { ModelPrice } from '../rules/credits/pricing.ts';
import { type ModelTuning, splitModelNames } from '../rules/instance/model-tuning.ts';
import { ProviderModel } from './providers/provider-model.ts';
import { createWire, defaultWireLimits, type ModelLimits } from './providers/model-fetch.ts';

export type { ModelSettings } from './providers/provider-endpoint.ts';

export const profiles = ['service-1.6', 'service-1.6-lite', 'service-1.6-max'] as const;
export type Profile = (typeof profiles)[number];
export type Models = Readonly<Record<Profile, Model>>;

export interface RegistryPorts {
  clock?: Clock;
  wireLimits?: ModelLimits;
  /** The name of a model found on this machine, or null. */
  discover?: () => Promise<string | null>;
}

/** Loaded only if no model is set. */
async function findOnMachine(): Promise<string | null> {
  const { findLocalModel } = await import('./providers/local-discovery.ts');
  return findLocalModel();
}

async function chooseMain(settings: ModelSettings, discover: () => Promise<string | null>): Promise<string> {
  if (settings.model) return settings.model;
  if (settings.baseUrl) throw new StartFault('ERRAND_MODEL must be set where ERRAND_MODEL_BASE_URL is.');
  return (await discover()) ?? offlineName;
}

/** Overridden by the operator; the reply limit shrinks with the window. */
function tune(facts: ModelFacts, { window = facts.window }: ModelTuning, canSee = facts.canSee): ModelFacts {
  return { ...facts, window, outputLimit: Math.min(facts.outputLimit, Math.floor(window / 4)), canSee };
}

/** A profile's price is that of its first model, and of others that have none. */
function priceOf({ name, price }: Model, profile: Profile, isFirst: boolean, { prices = {} }: ModelSettings): ModelPrice | null {
  const [own, shared] = [prices[name], prices[profile] ?? null];
  return own ?? (isFirst ? (shared ?? price) : (price ?? shared));
}

/** The same model with what a profile adds to it. */
function withProfile(model: Model, added: Pick<Model, 'price' | 'fallbacks' | 'patienceMs'>): Model {
  const { name, window, outputLimit, canSee, followsScript } = model;
  return {
    name,
    window,
    outputLimit,
    ...(canSee !== undefined && { canSee }),
    ...(followsScript !== undefined && { followsScript }),
    ...added,
    call: (request, options) => model.call(request, options),
  };
}

interface Opening {
  settings: ModelSettings;
  clock: Clock;
  wireLimits: ModelLimits;
  opened: Map<string, Model>;
}

function openModel(
  { settings, clock, wireLimits, opened }: Opening,
  wanted: EndpointRequest,
  tuning: ModelTuning,
  at: number,
): Model {
  if (wanted.value === offlineName) return createOfflineModel();
  const sees = tuning.sees?.length === 1 ? tuning.sees[0] : tuning.sees?.[at];
  const key = JSON.stringify([wanted.value, wanted.isMixed, tuning, sees]);
  const known = opened.get(key);
  if (known) return known;
  const endpoint = chooseEndpoint(wanted, settings);
  const { isLocal = false, stallMs: longestMs } = endpoint.provider;
  const facts = tune(lookUpFacts(endpoint.modelName, isLocal), tuning, sees);
  const firstByteMs = tuning.firstByteMs ?? longestMs ?? wireLimits.firstByteMs;
  const stallMs = tuning.idleMs ?? longestMs ?? wireLimits.stallMs;
  const wire = createWire(clock, { ...wireLimits, firstByteMs, stallMs, replyMs: Math.max(wireLimits.replyMs, firstByteMs * 2) });
  const { effort } = tuning;
  const model = new ProviderModel({ name: wanted.value, endpoint, facts, clock, wire, ...(effort && { effort }) });
  opened.set(key, model);
  return model;
}

/** The model of a profile, with those that replace it. */
function openProfile(opening: Opening, profile: Profile, variable: string, list: string): Model {
  const { settings } = opening;
  const tuning = settings.tuning?.[profile] ?? {};
  const names = splitModelNames(list);
  const isMixed = new Set(names.map((name) => name.split('/', 1)[0])).size > 1;
  const [first, ...fallbacks] = names.map((value, at) => {
    const model = openModel(opening, { variable, value, isMixed }, tuning, at);
    const price = priceOf(model, profile, at === 0, settings);
    return price === model.price ? model : withProfile(model, { price });
  });
  if (!first) throw new StartFault(`${variable} must name a model.`);
  const { patienceMs } = tuning;
  if (fallbacks.length === 0 && patienceMs === undefined) return first;
  return withProfile(first, { price: first.price, fallbacks, ...(patienceMs !== undefined && { patienceMs }) });
}

/**
 * The model of each profile. Throws a `StartFault` that names the invalid variable. Without ERRAND_MODEL it is a model detected on this
 * machine, else the built-in `offline/offline-1`. Nothing is loaded or called before the first use of a model.
 */
export async function openModels(settings: ModelSettings, ports: RegistryPorts = {}): Promise<Models> {
  const { clock = systemClock, wireLimits = defaultWireLimits, discover = findOnMachine } = ports;
  const opening = { settings, clock, wireLimits, opened: new Map<string, Model>() };
  const main = await chooseMain(settings, discover);
  return {
    'service-1.6': openProfile(opening, 'service-1.6', 'ERRAND_MODEL', main),
    'service-1.6-lite': openProfile(opening, 'service-1.6-lite', 'ERRAND_MODEL_LITE', settings.modelLite || main),
    'service-1.6-max': openProfile(opening, 'service-1.6-max', 'ERRAND_MODEL_MAX', settings.modelMax || main),
  };
}
