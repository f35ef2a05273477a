import type { Response as Reply } from '@errand/client';
import { type Provider, readModel } from './provider-facts.ts';

/** The models of one profile, as the service lists them. */
export type ProfileModels = Reply<'instance.listModels'>['data'][number];

/** The service stores no idempotency keys for requests with secrets. */
export const once = { idempotencyKey: null };

/** What the form has been filled in with. */
export interface ModelDraft {
  provider: Provider;
  name: string;
  fallbacks: string;
  baseUrl: string;
  apiKey: string;
}

/** The form as it opens: what is set, else what was found beside the service. */
export function draftOf({ source, models, base_url: baseUrl }: ProfileModels, found: string | null): ModelDraft {
  const isSet = source === 'settings';
  const [first, ...others] = models;
  const { provider, name } = (isSet ? readModel(first) : readModel(found)) ?? { provider: 'anthropic' as const, name: '' };
  return { provider, name, fallbacks: isSet ? others.join(', ') : '', baseUrl: (isSet && baseUrl) || '', apiKey: '' };
}

/** The request that sets or tests it. An empty key keeps the one that is stored. */
export function requestOf(profile: string, { provider, name, fallbacks, baseUrl, apiKey }: ModelDraft) {
  const names = [`${provider}/${name.trim()}`, ...fallbacks.split(',').map((each) => each.trim())].filter((each) => each !== '');
  return {
    profile,
    models: names.join(','),
    base_url: baseUrl.trim(),
    ...(apiKey.trim() !== '' && { api_key: apiKey.trim() }),
  };
}
