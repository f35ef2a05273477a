/** The providers, in the order in which people look for them. */
export const providers = ['anthropic', 'openai', 'google', 'compatible', 'ollama', 'lmstudio'] as const;
export type Provider = (typeof providers)[number];

/** Those of accounts: local ones are on machines of the operator. */
export const ownProviders = ['anthropic', 'openai', 'google', 'compatible'] as const satisfies readonly Provider[];

/** The providers that need a key, and the one that needs a URL. */
export const needsKey = new Set<Provider>(['anthropic', 'openai', 'google']);
export const needsUrl = new Set<Provider>(['compatible']);

/** A current model of each provider, as an example. */
export const exampleModels: Record<Provider, string> = {
  anthropic: 'claude-sonnet-5',
  openai: 'gpt-5.6',
  google: 'gemini-3.5-pro',
  compatible: 'my-model',
  ollama: 'qwen3:8b',
  lmstudio: 'qwen3-8b',
};

export interface NamedModel {
  provider: Provider;
  name: string;
}

/** `provider/model` in its parts; null for a provider that cannot be chosen. */
export function readModel(text: string | null | undefined): NamedModel | null {
  const [, before = '', name = ''] = /^([a-z]+)\/(.+)$/.exec(text ?? '') ?? [];
  const provider = providers.find((known) => known === before);
  return provider ? { provider, name } : null;
}
