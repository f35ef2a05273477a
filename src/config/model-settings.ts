import { splitModelNames } from '../rules/instance/model-tuning.ts';
import { WrongValue } from './setting.ts';

/** What calls to a provider require. */
export interface ProviderNeeds {
  keyVariable?: string;
  needsBaseUrl?: boolean;
  /** Whether it has speech models. */
  listens?: boolean;
  /** Whether it has image models. */
  draws?: boolean;
}

/** The model providers. */
export const modelProviders = {
  openai: { keyVariable: 'OPENAI_API_KEY', listens: true, draws: true },
  anthropic: { keyVariable: 'ANTHROPIC_API_KEY' },
  google: { keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY', listens: true, draws: true },
  compatible: { needsBaseUrl: true, listens: true, draws: true },
  ollama: { listens: true },
  lmstudio: { listens: true },
  offline: {},
} as const satisfies Record<string, ProviderNeeds>;

export type ModelProvider = keyof typeof modelProviders;

export const offlineModel = 'offline/offline-1';

export function providerOf(modelName: string): string {
  return modelName.slice(0, modelName.indexOf('/'));
}

/** The requirements of a model's provider, if a model is set. */
export function needsOf(modelName: string): ProviderNeeds {
  return modelProviders[providerOf(modelName) as ModelProvider];
}

/** `provider/model`; the model's own name may contain further slashes. */
export function readModelName(text: string): string {
  const provider = providerOf(text);
  if (!/^[a-z]+\/[\x21-\x2b\x2d-\x7e]{1,200}$/.test(text)) throw new WrongValue('must have the form provider/model');
  if (!Object.hasOwn(modelProviders, provider)) {
    throw new WrongValue(`names no known provider (${Object.keys(modelProviders).join(', ')})`);
  }
  if (provider === 'offline' && text !== offlineModel) throw new WrongValue(`must be ${offlineModel} for the built-in model`);
  return text;
}

/** The most models in a list; more would only prolong an outage. */
const mostModels = 8;

/** One model or several, separated by commas; each in the form of `readModelName`. */
export function readModelNames(text: string): string {
  const names = splitModelNames(text).map(readModelName);
  if (names.length > mostModels) throw new WrongValue(`must list at most ${mostModels} models`);
  if (new Set(names).size < names.length) throw new WrongValue('must list each model once');
  return names.join(',');
}
