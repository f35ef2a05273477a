import { WrongValue } from './setting.ts';

/** Who can serve a model, and what a call to them cannot do without. */
export const modelProviders = {
  openai: { keyVariable: 'OPENAI_API_KEY' },
  anthropic: { keyVariable: 'ANTHROPIC_API_KEY' },
  google: { keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  compatible: { needsBaseUrl: true },
  ollama: {},
  lmstudio: {},
  offline: {},
} as const satisfies Record<string, { keyVariable?: string; needsBaseUrl?: boolean }>;

export type ModelProvider = keyof typeof modelProviders;

export const offlineModel = 'offline/offline-1';

export function providerOf(modelName: string): string {
  return modelName.slice(0, modelName.indexOf('/'));
}

/** `provider/model`; the model's own name may contain further slashes. */
export function readModelName(text: string): string {
  const provider = providerOf(text);
  if (!/^[a-z]+\/[\x21-\x7e]{1,200}$/.test(text)) throw new WrongValue('must have the form provider/model');
  if (!Object.hasOwn(modelProviders, provider)) {
    throw new WrongValue(`names no known provider (${Object.keys(modelProviders).join(', ')})`);
  }
  if (provider === 'offline' && text !== offlineModel) throw new WrongValue(`must be ${offlineModel} for the built-in model`);
  return text;
}
