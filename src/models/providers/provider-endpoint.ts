import type { ModelPrice } from '../../rules/credits/pricing.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { findProvider, type ModelProvider, providers } from './providers.ts';

/** A setting of the operator; an empty string counts as not set. */
type Setting = string | null | undefined;

/** What the operator set. */
export interface ModelSettings {
  /** ERRAND_MODEL, as `provider/model`. */
  model?: Setting;
  /** ERRAND_MODEL_LITE and ERRAND_MODEL_MAX; default to the main one. */
  modelLite?: Setting;
  modelMax?: Setting;
  /** ERRAND_MODEL_BASE_URL and ERRAND_MODEL_API_KEY: required by `compatible`; overrides the default of the others. */
  baseUrl?: Setting;
  apiKey?: Setting;
  /** ERRAND_MODEL_WINDOW. */
  window?: number;
  /** ERRAND_PRICES, by profile. */
  prices?: Readonly<Partial<Record<string, ModelPrice>>>;
  /** Values of OPENAI_API_KEY, ANTHROPIC_API_KEY and GOOGLE_GENERATIVE_AI_API_KEY. */
  providerKeys?: { openai?: Setting; anthropic?: Setting; google?: Setting };
}

/** Endpoint and credentials for a model. */
export interface Endpoint {
  provider: ModelProvider;
  modelName: string;
  baseUrl: string;
  apiKey: string | undefined;
}

/** A setting with its variable, for error messages. */
export interface EndpointRequest {
  variable: string;
  /** `provider/model`; the model's own name may contain further slashes. */
  value: string;
}

/** The variables that the settings of a request came from. */
const modelVariables = { baseUrl: 'ERRAND_MODEL_BASE_URL', apiKey: 'ERRAND_MODEL_API_KEY' };
type Variables = typeof modelVariables;

function chooseBaseUrl(
  { variable, value }: EndpointRequest,
  provider: ModelProvider,
  settings: ModelSettings,
  names: Variables,
): string {
  const baseUrl = settings.baseUrl || provider.baseUrl;
  if (!baseUrl) throw new StartFault(`${names.baseUrl} must be set for ${variable}=${value}.`);
  const isWeb = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  if (!isWeb) throw new StartFault(`${names.baseUrl} must be an http or https address.`);
  return baseUrl;
}

function chooseApiKey(
  { variable, value }: EndpointRequest,
  provider: ModelProvider,
  settings: ModelSettings,
  names: Variables,
): string | undefined {
  const own = provider.keyName && settings.providerKeys?.[provider.keyName];
  const apiKey = settings.apiKey || own || undefined;
  if (provider.keyVariable === undefined || apiKey !== undefined) return apiKey;
  throw new StartFault(`${names.apiKey} or ${provider.keyVariable} must be set for ${variable}=${value}.`);
}

/** Throws a `StartFault` that names the invalid variable. */
export function chooseEndpoint(request: EndpointRequest, settings: ModelSettings, names: Variables = modelVariables): Endpoint {
  const { variable, value } = request;
  const slash = value.indexOf('/');
  const modelName = value.slice(slash + 1);
  if (slash < 1 || modelName === '') throw new StartFault(`${variable} must have the form provider/model, not "${value}".`);
  const provider = findProvider(value.slice(0, slash));
  if (!provider) {
    const known = Object.keys(providers).join(', ');
    throw new StartFault(
      `${variable}=${value} names no known model: the providers are ${known}, and there is offline/offline-1.`,
    );
  }
  return {
    provider,
    modelName,
    baseUrl: chooseBaseUrl(request, provider, settings, names),
    apiKey: chooseApiKey(request, provider, settings, names),
  };
}
