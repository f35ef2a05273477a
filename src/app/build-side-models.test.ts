import { expect, it } from 'vitest';
import type { OpenedProfile } from '../models/model-registry.ts';
import { findAccess } from './build-side-models.ts';

const config = {
  models: { baseUrl: 'https://proxy.example' },
  secrets: { models: { apiKey: 'common', providerKeys: { openai: 'own' } } },
};

function access(...names: string[]) {
  const [model, ...fallbacks] = names.map((name) => ({ name }));
  return findAccess(config as never, { problem: null, model: { ...model, fallbacks }, access: {} } as unknown as OpenedProfile);
}

it('speech and pictures use the common key only where chat does', () => {
  expect(access('openai/gpt-5')).toMatchObject({ apiKey: 'common', baseUrl: 'https://proxy.example' });
  expect(access('openai/gpt-5', 'openai/gpt-5-mini')).toMatchObject({ apiKey: 'common' });
  // The common key is that of the provider without one of its own.
  expect(access('openai/gpt-5', 'anthropic/claude')).toMatchObject({ apiKey: null, baseUrl: null });
  expect(access('anthropic/claude', 'openai/gpt-5')).toMatchObject({ apiKey: 'common' });
});
