import { type Clock, systemClock } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { chooseEndpoint, type ModelSettings, type EndpointRequest } from './providers/provider-endpoint.ts';
import type { Model } from './model.ts';
import { lookUpFacts, type ModelFacts } from './providers/model-facts.ts';
import { createOfflineModel, offlineName } from './offline/offline-model.ts';
import type { ModelPrice } from '../rules/credits/pricing.ts';
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

/** Overridden by the operator; the reply limit shrinks with it. */
function withWindow(facts: ModelFacts, window = facts.window): ModelFacts {
  return { ...facts, window, outputLimit: Math.min(facts.outputLimit, Math.floor(window / 4)) };
}

/** The same model with the operator's price for a profile. */
function withPrice(model: Model, price: ModelPrice | undefined): Model {
  if (!price) return model;
  const { name, window, outputLimit, canSee, followsScript } = model;
  return {
    name,
    window,
    outputLimit,
    ...(canSee !== undefined && { canSee }),
    ...(followsScript !== undefined && { followsScript }),
    price,
    call: (request, options) => model.call(request, options),
  };
}

/**
 * The model of each profile. Throws a `StartFault` that names the invalid variable. Without ERRAND_MODEL it is a model detected on this
 * machine, else the built-in `offline/offline-1`. Nothing is loaded or called before the first use of a model.
 */
export async function openModels(settings: ModelSettings, ports: RegistryPorts = {}): Promise<Models> {
  const { clock = systemClock, wireLimits = defaultWireLimits, discover = findOnMachine } = ports;
  const opened = new Map<string, Model>([[offlineName, createOfflineModel()]]);
  const open = (wanted: EndpointRequest): Model => {
    const known = opened.get(wanted.value);
    if (known) return known;
    const endpoint = chooseEndpoint(wanted, settings);
    const { isLocal = false, stallMs = wireLimits.stallMs } = endpoint.provider;
    const facts = withWindow(lookUpFacts(endpoint.modelName, isLocal), settings.window);
    const wire = createWire(clock, { ...wireLimits, stallMs });
    const model = new ProviderModel({ name: wanted.value, endpoint, facts, clock, wire });
    opened.set(wanted.value, model);
    return model;
  };
  const main = await chooseMain(settings, discover);
  const openFor = (profile: Profile, wanted: EndpointRequest) => withPrice(open(wanted), settings.prices?.[profile]);
  return {
    'service-1.6': openFor('service-1.6', { variable: 'ERRAND_MODEL', value: main }),
    'service-1.6-lite': openFor('service-1.6-lite', { variable: 'ERRAND_MODEL_LITE', value: settings.modelLite || main }),
    'service-1.6-max': openFor('service-1.6-max', { variable: 'ERRAND_MODEL_MAX', value: settings.modelMax || main }),
  };
}
