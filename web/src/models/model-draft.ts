import { type Provider, readModel } from './provider-facts.ts';

/** The service stores no idempotency keys for requests with secrets. */
export const once = { idempotencyKey: null };

/** What is set for a profile, by the owner of the instance or by an account. */
export interface SetModels {
  models: readonly string[];
  base_url: string | null;
  has_api_key: boolean;
  api_key_tail: string | null;
}

/** What the form has been filled in with. */
export interface ModelDraft {
  provider: Provider;
  name: string;
  fallbacks: string;
  baseUrl: string;
  apiKey: string;
}

/** The request that sets or tests what the form holds. */
export interface ModelRequest {
  profile: string;
  models: string;
  base_url: string;
  api_key?: string;
}

/** The form as it opens: what is set, else what was found beside the service. */
export function draftOf(set: SetModels | null, found: string | null): ModelDraft {
  const [first, ...others] = set?.models ?? [];
  const { provider, name } = (set ? readModel(first) : readModel(found)) ?? { provider: 'anthropic' as const, name: '' };
  return { provider, name, fallbacks: others.join(', '), baseUrl: set?.base_url ?? '', apiKey: '' };
}

/** The request for a profile. An empty key keeps the one that is stored. */
export function requestOf(profile: string, { provider, name, fallbacks, baseUrl, apiKey }: ModelDraft): ModelRequest {
  const names = [`${provider}/${name.trim()}`, ...fallbacks.split(',').map((each) => each.trim())].filter((each) => each !== '');
  return {
    profile,
    models: names.join(','),
    base_url: baseUrl.trim(),
    ...(apiKey.trim() !== '' && { api_key: apiKey.trim() }),
  };
}
