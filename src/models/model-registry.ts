import { type Clock, systemClock } from '@errand/base/clock.ts';
import type { SafeDial } from '@errand/base/net/safe-connect.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { chooseEndpoint, type Endpoint, EndpointFault, type ModelSettings } from './providers/provider-endpoint.ts';
import { type Model, ModelFault } from './model.ts';
import { lookUpFacts, type ModelFacts } from './providers/model-facts.ts';
import { createOfflineModel, offlineName } from './offline/offline-model.ts';
import type { ModelPrice } from '../rules/credits/pricing.ts';
import { type ModelSource, type Profile, profiles, standardProfile } from '../rules/instance/model-profile.ts';
import { isOwnModel, markOwn } from '../rules/instance/own-model.ts';
import { type ModelTuning, splitModelNames } from '../rules/instance/model-tuning.ts';
import { ProviderModel } from './providers/provider-model.ts';
import { createSender } from './providers/model-exchange.ts';
import { chooseStoredEndpoint, type StoredProfiles } from './providers/stored-access.ts';
import { defaultWireLimits, type ModelLimits, ownWireLimits } from './providers/wire-limits.ts';

export type { ModelSettings } from './providers/provider-endpoint.ts';

export type Models = Readonly<Record<Profile, Model>>;

/** The models of a profile, and where they come from. */
export interface OpenedProfile {
  model: Model;
  source: ModelSource;
  /** The models as written in the setting. The first is used; the others replace it while it is unavailable. */
  models: string;
  /** Why its settings cannot be used; its calls then fail. Null if nothing is wrong. */
  problem: string | null;
  /** The setting that is missing or wrong, if it is a single one. */
  fault?: EndpointFault;
  /** URL and key of the first model if they are not those of the environment. */
  access?: { baseUrl: string; apiKey: string | undefined };
}

export type OpenedProfiles = Readonly<Record<Profile, OpenedProfile>>;

/** Profiles that always have these models, whatever is set. */
export function fixedProfiles(models: Models): OpenedProfiles {
  const entries = profiles.map((profile) => {
    const model = models[profile];
    return [profile, { model, source: 'environment' as const, models: model.name, problem: null }] as const;
  });
  return Object.fromEntries(entries) as OpenedProfiles;
}

export interface RegistryPorts {
  clock?: Clock;
  wireLimits?: ModelLimits;
  /** The name of a model found on this machine, or null. */
  discover?: () => Promise<string | null>;
  /** Connects to servers that an account has chosen. Its models have marked names and cost nothing. */
  ownDial?: SafeDial;
}

/** A model that Ollama or LM Studio offers on this machine, or null; loaded only if it is looked for. */
export async function findOnMachine(clock: Clock = systemClock): Promise<string | null> {
  const { findLocalModel } = await import('./providers/local-discovery.ts');
  return findLocalModel({ clock });
}

/** What is used where nothing is set: a model detected on this machine, else the built-in `offline/offline-1`. */
export async function findUsualModel(settings: ModelSettings, { discover = findOnMachine }: RegistryPorts = {}): Promise<string> {
  if (settings.model) return offlineName;
  if (settings.baseUrl) throw new StartFault('ERRAND_MODEL must be set where ERRAND_MODEL_BASE_URL is.');
  return (await discover()) ?? offlineName;
}

/** The variable that lists the models of each profile, and what it is set to. */
export function modelVariables(settings: ModelSettings): Record<Profile, { variable: string; models: string | null }> {
  return {
    'service-1.6': { variable: 'ERRAND_MODEL', models: settings.model || null },
    'service-1.6-lite': { variable: 'ERRAND_MODEL_LITE', models: settings.modelLite || null },
    'service-1.6-max': { variable: 'ERRAND_MODEL_MAX', models: settings.modelMax || null },
  };
}

/** A model in place of one with unusable settings: each call fails with the reason. */
function createBrokenModel(name: string, problem: string): Model {
  const { window, outputLimit, canSee } = lookUpFacts(name, false);
  const call = () => Promise.reject(new ModelFault('refused', `the settings of the models cannot be used: ${problem}`));
  return { name, window, outputLimit, canSee, price: null, call };
}

/** Overridden by the operator; the reply limit shrinks with the window. */
function tune(facts: ModelFacts, { window = facts.window }: ModelTuning, canSee = facts.canSee): ModelFacts {
  return { ...facts, window, outputLimit: Math.min(facts.outputLimit, Math.floor(window / 4)), canSee };
}

/** A profile's price is that of its first model, and of others that have none. */
function priceOf({ name, price }: Model, profile: Profile, isFirst: boolean, { prices = {} }: ModelSettings): ModelPrice | null {
  if (isOwnModel(name)) return null;
  const [own, shared] = [prices[name], prices[profile] ?? null];
  return own ?? (isFirst ? (shared ?? price) : (price ?? shared));
}

/** A model with the price, fallbacks, and patience of its profile. */
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
  stored: StoredProfiles;
  /** What profiles use for which nothing is set. */
  usual: string;
  clock: Clock;
  wireLimits: ModelLimits;
  ownDial: SafeDial | undefined;
  opened: Map<string, Model>;
}

function openModel(
  { clock, wireLimits, ownDial, opened }: Opening,
  name: string,
  findEndpoint: () => Endpoint,
  tuning: ModelTuning,
  at: number,
): Model {
  if (name === offlineName) return createOfflineModel(clock);
  const sees = tuning.sees?.length === 1 ? tuning.sees[0] : tuning.sees?.[at];
  const endpoint = findEndpoint();
  const key = JSON.stringify([name, endpoint.baseUrl, endpoint.apiKey, tuning, sees]);
  const known = opened.get(key);
  if (known) return known;
  const { isLocal = false, stallMs: longestMs } = endpoint.provider;
  const facts = tune(lookUpFacts(endpoint.modelName, isLocal), tuning, sees);
  const firstByteMs = tuning.firstByteMs ?? longestMs ?? wireLimits.firstByteMs;
  const stallMs = tuning.idleMs ?? longestMs ?? wireLimits.stallMs;
  const replyMs = Math.max(wireLimits.replyMs, firstByteMs * 2);
  const send = createSender(clock, { ...wireLimits, firstByteMs, stallMs, replyMs }, ownDial);
  const { effort } = tuning;
  const model = new ProviderModel({
    name: ownDial ? markOwn(name) : name,
    endpoint,
    facts,
    clock,
    send,
    ...(effort && { effort }),
  });
  opened.set(key, model);
  return model;
}

interface ModelList {
  source: ModelSource;
  variable: string;
  models: string;
  problem?: string;
  findEndpoint(name: string, isMixed: boolean): Endpoint;
}

/** What a profile is to use: the environment wins over what is set in the service; without either, it uses that of the standard profile. */
function findList(opening: Opening, profile: Profile): ModelList {
  const { settings, stored, usual } = opening;
  const { variable, models: own } = modelVariables(settings)[profile];
  const fromEnvironment = (source: ModelSource, models: string): ModelList => ({
    ...{ source, variable, models },
    findEndpoint: (value, isMixed) => chooseEndpoint({ variable, value, isMixed }, settings),
  });
  if (own !== null) return fromEnvironment('environment', own);
  const set = stored[profile];
  if (set) {
    const findEndpoint = (name: string) => chooseStoredEndpoint(profile, name, stored, settings);
    return { source: 'settings', variable: 'models', findEndpoint, ...set };
  }
  return profile === standardProfile ? fromEnvironment('built_in', usual) : findList(opening, standardProfile);
}

/** The model of a profile, with those that replace it. */
function openList(opening: Opening, profile: Profile, { models, variable, findEndpoint }: ModelList): Model {
  const { settings } = opening;
  const tuning = settings.tuning?.[profile] ?? {};
  const names = splitModelNames(models);
  const isMixed = new Set(names.map((name) => name.split('/', 1)[0])).size > 1;
  const [first, ...fallbacks] = names.map((name, at) => {
    const model = openModel(opening, name, () => findEndpoint(name, isMixed), tuning, at);
    const price = priceOf(model, profile, at === 0, settings);
    return price === model.price ? model : withProfile(model, { price });
  });
  if (!first) throw new StartFault(`${variable} must name a model.`);
  const { patienceMs } = tuning;
  if (fallbacks.length === 0 && patienceMs === undefined) return first;
  return withProfile(first, { price: first.price, fallbacks, ...(patienceMs !== undefined && { patienceMs }) });
}

function openProfile(opening: Opening, profile: Profile): OpenedProfile {
  const list = findList(opening, profile);
  const { source, models } = list;
  const shownName = opening.ownDial ? markOwn(models) : models;
  const broken = (problem: string) => ({ model: createBrokenModel(shownName, problem), source, models, problem });
  if (list.problem !== undefined) return broken(list.problem);
  try {
    const model = openList(opening, profile, list);
    if (source !== 'settings' || model.name === offlineName) return { model, source, models, problem: null };
    const { baseUrl, apiKey } = list.findEndpoint(splitModelNames(models)[0] ?? '', false);
    return { model, source, models, problem: null, access: { baseUrl, apiKey } };
  } catch (error) {
    // A service whose settings do not fit its environment any more starts, so that they can be mended.
    if (source === 'settings' && error instanceof StartFault) {
      return { ...broken(error.message), ...(error instanceof EndpointFault && { fault: error }) };
    }
    throw error;
  }
}

/**
 * The models of every profile. Throws a `StartFault` that names the invalid variable. Nothing is loaded or called before the first use of a
 * model.
 * @param usual what is used where nothing is set, as `findUsualModel` says
 */
export function openProfiles(
  settings: ModelSettings,
  stored: StoredProfiles,
  usual: string,
  {
    clock = systemClock,
    ownDial,
    wireLimits = ownDial ? ownWireLimits : defaultWireLimits,
  }: Omit<RegistryPorts, 'discover'> = {},
): OpenedProfiles {
  const opening = { settings, stored, usual, clock, wireLimits, ownDial, opened: new Map<string, Model>() };
  return {
    'service-1.6': openProfile(opening, 'service-1.6'),
    'service-1.6-lite': openProfile(opening, 'service-1.6-lite'),
    'service-1.6-max': openProfile(opening, 'service-1.6-max'),
  };
}

export function pickModels(opened: OpenedProfiles): Models {
  return {
    'service-1.6': opened['service-1.6'].model,
    'service-1.6-lite': opened['service-1.6-lite'].model,
    'service-1.6-max': opened['service-1.6-max'].model,
  };
}

/** The model of each profile by the environment alone; see `openProfiles`. */
export async function openModels(settings: ModelSettings, ports: RegistryPorts = {}): Promise<Models> {
  return pickModels(openProfiles(settings, {}, await findUsualModel(settings, ports), ports));
}
