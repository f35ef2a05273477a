import type { ModelPrice } from '../../rules/credits/pricing.ts';
import type { ModelTuning } from '../../rules/instance/model-tuning.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { findProvider, type ModelProvider, providers } from './providers.ts';

/** A setting of the operator; an empty string counts as not set. */
type Setting = string | null | undefined;

/** What the operator set. */
export interface ModelSettings {
  /** ERRAND_MODEL: `provider/model`, and those that replace it while it is away, separated by commas. */
  model?: Setting;
  /** ERRAND_MODEL_LITE and ERRAND_MODEL_MAX; default to the main one. */
  modelLite?: Setting;
  modelMax?: Setting;
  /** ERRAND_MODEL_BASE_URL and ERRAND_MODEL_API_KEY: required by `compatible`; overrides the default of the others. */
  baseUrl?: Setting;
  apiKey?: Setting;
  /** ERRAND_MODEL_EFFORT, _SEES, _WINDOW and so on, by profile. */
  tuning?: Readonly<Partial<Record<string, ModelTuning>>>;
  /** ERRAND_PRICES, by profile or model. */
  prices?: Readonly<Partial<Record<string, ModelPrice>>>;
  /** Values of OPENAI_API_KEY, ANTHROPIC_API_KEY and GOOGLE_GENERATIVE_AI_API_KEY; null where they must not be used. */
  providerKeys?: { openai?: Setting; anthropic?: Setting; google?: Setting } | null | undefined;
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
  /** True in a list of models of several providers. */
  isMixed?: boolean;
}

/** A setting that is missing or wrong. */
export class EndpointFault extends StartFault {
  /** Its variable, or the field of a request. */
  readonly setting: string;
  /** What is wrong, as the rest of a sentence that begins with the setting. */
  readonly problem: string;

  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
    this.setting = setting;
    this.problem = problem;
  }
}

/** The variables that the settings of a request came from. */
const modelVariables = { baseUrl: 'ERRAND_MODEL_BASE_URL', apiKey: 'ERRAND_MODEL_API_KEY' };
type Variables = typeof modelVariables;

/** Whether a provider in a list with others uses its own access: it has a key of its own, or runs on this machine at its own URL. */
export function ownsAccess(
  { isMixed = false }: Pick<EndpointRequest, 'isMixed'>,
  provider: ModelProvider,
  { providerKeys }: ModelSettings,
): boolean {
  return isMixed && (provider.isLocal === true || Boolean(provider.keyName && providerKeys?.[provider.keyName]));
}

function chooseBaseUrl(request: EndpointRequest, provider: ModelProvider, settings: ModelSettings, names: Variables): string {
  const { variable, value } = request;
  const baseUrl = (!ownsAccess(request, provider, settings) && settings.baseUrl) || provider.baseUrl;
  if (!baseUrl) throw new EndpointFault(names.baseUrl, `must be set for ${variable}=${value}.`);
  const isWeb = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  if (!isWeb) throw new EndpointFault(names.baseUrl, 'must be an http or https address.');
  return baseUrl;
}

function chooseApiKey(
  request: EndpointRequest,
  provider: ModelProvider,
  settings: ModelSettings,
  names: Variables,
): string | undefined {
  const { variable, value } = request;
  const own = provider.keyName && settings.providerKeys?.[provider.keyName];
  const apiKey = (!ownsAccess(request, provider, settings) && settings.apiKey) || own || undefined;
  if (provider.keyVariable === undefined || apiKey !== undefined) return apiKey;
  const otherwise = settings.providerKeys === null ? '' : `, unless ${provider.keyVariable} is`;
  throw new EndpointFault(names.apiKey, `must be set for ${variable}=${value}${otherwise}.`);
}

/** Throws a `StartFault` that names the invalid variable. */
export function chooseEndpoint(request: EndpointRequest, settings: ModelSettings, names: Variables = modelVariables): Endpoint {
  const { variable, value } = request;
  const slash = value.indexOf('/');
  const modelName = value.slice(slash + 1);
  if (slash < 1 || modelName === '') throw new EndpointFault(variable, `must have the form provider/model, not "${value}".`);
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
