import type { Clock } from '@errand/base/clock.ts';
import type { SafeDial } from '@errand/base/net/safe-connect.ts';
import { markOwn } from '../../rules/instance/own-model.ts';
import { createSender } from './model-exchange.ts';
import { boundForOwn, type ModelLimits } from './wire-limits.ts';
import { chooseEndpoint, type Endpoint, type ModelSettings } from './provider-endpoint.ts';

/** The operator's settings for a model that works beside the one of the tasks: for speech, or for pictures. */
export interface SideSettings {
  /** `provider/model`, `none`, or unset for the default of the provider in use. */
  model: string | null;
  baseUrl: string | null;
  apiKey: string | null;
}

/** What such a model is opened with. */
export interface SidePorts {
  clock?: Clock;
  limits?: ModelLimits;
  /** Connects to the server of an account, with its key. Such models have marked names and cost nothing. */
  ownDial?: SafeDial | undefined;
}

/** The name that people see, and what sends requests. */
export function connectSide(name: string, clock: Clock, limits: ModelLimits, { ownDial }: SidePorts) {
  if (!ownDial) return { name, send: createSender(clock, limits) };
  return { name: markOwn(name), send: createSender(clock, boundForOwn(limits), ownDial) };
}

export interface SideKind {
  /** The variables of the settings. */
  variables: Readonly<Record<'model' | 'baseUrl' | 'apiKey', string>>;
  /** The default model of a provider, if it has such models. */
  findUsual(provider: string): string | undefined;
}

export interface SideEndpoint {
  name: string;
  providerName: string;
  endpoint: Endpoint;
}

function providerNameOf(name: string): string {
  return name.slice(0, Math.max(name.indexOf('/'), 0));
}

/**
 * Where such a model is, null if there is none. Only the provider already in use receives anything, unless the operator names another:
 * `mainModel` is the model of the standard profile. Throws a `StartFault` that names the invalid variable.
 */
export function chooseSideEndpoint(
  side: SideSettings,
  models: ModelSettings,
  mainModel: string,
  { variables, findUsual }: SideKind,
): SideEndpoint | null {
  const inUse = providerNameOf(mainModel);
  const usual = findUsual(inUse);
  const name = side.model ?? (usual === undefined ? null : `${inUse}/${usual}`);
  if (name === null || name === 'none') return null;
  const providerName = providerNameOf(name);
  const isInUse = providerName === inUse;
  // A key is only sent to the provider that it was set for.
  const baseUrl = side.baseUrl ?? (isInUse ? models.baseUrl : null);
  const apiKey = side.apiKey ?? (isInUse ? models.apiKey : null);
  const endpoint = chooseEndpoint({ variable: variables.model, value: name }, { ...models, baseUrl, apiKey }, variables);
  return { name, providerName, endpoint };
}
