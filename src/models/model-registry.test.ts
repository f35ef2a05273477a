import { describe, expect, it } from 'vitest';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Model } from './model.ts';
import { chooseEndpoint } from './providers/provider-endpoint.ts';
import { type ModelSettings, openModels, openProfiles } from './model-registry.ts';
import { chooseStoredEndpoint, type StoredProfiles } from './providers/stored-access.ts';

const nothingFound = () => Promise.resolve(null);

async function namesOf(settings: ModelSettings, discover: () => Promise<string | null> = nothingFound): Promise<string[]> {
  const models = await openModels(settings, { discover });
  return [models['service-1.6'], models['service-1.6-lite'], models['service-1.6-max']].map((model) => model.name);
}

describe('openModels', () => {
  it('uses the main model for every profile without its own', async () => {
    const providerKeys = { anthropic: 'k', openai: 'k' };
    expect(await namesOf({ model: 'anthropic/claude-sonnet-4-5', modelMax: 'openai/gpt-5', providerKeys })).toEqual([
      'anthropic/claude-sonnet-4-5',
      'anthropic/claude-sonnet-4-5',
      'openai/gpt-5',
    ]);
  });

  it('uses a model detected on this machine, else the built-in one', async () => {
    expect(await namesOf({}, () => Promise.resolve('ollama/qwen3:8b'))).toEqual(Array(3).fill('ollama/qwen3:8b'));
    expect(await namesOf({ model: '', baseUrl: null })).toEqual(Array(3).fill('offline/offline-1'));
  });

  it('skips detection if the operator has configured a model', async () => {
    const discover = () => Promise.reject(new Error('was asked'));
    expect(await namesOf({ model: 'offline/offline-1' }, discover)).toEqual(Array(3).fill('offline/offline-1'));
  });

  it('accepts every provider with its required settings', async () => {
    const settings = { baseUrl: 'http://localhost:1/v1', apiKey: 'k' };
    for (const name of ['openai/a', 'anthropic/a', 'google/a', 'compatible/org/a:b', 'ollama/a', 'lmstudio/a']) {
      expect(await namesOf({ ...settings, model: name })).toEqual(Array(3).fill(name));
    }
    expect(await namesOf({ model: 'compatible/a', baseUrl: 'http://localhost:1/v1' })).toContain('compatible/a');
  });

  it('gives a profile the models that replace its first one', async () => {
    const models = await openModels({ model: 'ollama/a, compatible/b,ollama/c', modelMax: 'ollama/c', baseUrl: 'http://h/v1' });
    const names = ({ name, fallbacks = [] }: Model) => [name, ...fallbacks.map((each) => each.name)];
    expect(names(models['service-1.6'])).toEqual(['ollama/a', 'compatible/b', 'ollama/c']);
    expect(names(models['service-1.6-lite'])).toEqual(['ollama/a', 'compatible/b', 'ollama/c']);
    expect(names(models['service-1.6-max'])).toEqual(['ollama/c']);
  });

  it('sends no key of one provider to another that has its own, or to this machine', () => {
    const settings = { apiKey: 'shared', baseUrl: 'http://shared/v1', providerKeys: { openai: 'own' } };
    const choose = (value: string, isMixed: boolean) => {
      const { baseUrl, apiKey } = chooseEndpoint({ variable: 'ERRAND_MODEL', value, isMixed }, settings);
      return [baseUrl, apiKey];
    };
    expect(choose('openai/a', true)).toEqual(['https://api.openai.com/v1', 'own']);
    expect(choose('ollama/a', true)).toEqual(['http://127.0.0.1:11434/v1', undefined]);
    expect(choose('anthropic/a', true)).toEqual(['http://shared/v1', 'shared']);
    expect(choose('compatible/a', true)).toEqual(['http://shared/v1', 'shared']);
    for (const value of ['openai/a', 'ollama/a']) expect(choose(value, false)).toEqual(['http://shared/v1', 'shared']);
  });

  it('believes the operator about eyes, window and patience of each profile', async () => {
    const models = await openModels({
      model: 'ollama/plain,ollama/llava,ollama/eyes',
      tuning: {
        'service-1.6': { sees: [false, false, true], window: 8000, patienceMs: 60_000 },
        'service-1.6-lite': { sees: [true] },
      },
    });
    const all = (model: Model) => [model, ...(model.fallbacks ?? [])];
    expect(all(models['service-1.6']).map(({ canSee }) => canSee)).toEqual([false, false, true]);
    expect(all(models['service-1.6-lite']).map(({ canSee }) => canSee)).toEqual([true, true, true]);
    expect(all(models['service-1.6-max']).map(({ canSee }) => canSee)).toEqual([false, true, false]);
    expect(models['service-1.6']).toMatchObject({ window: 8000, outputLimit: 2000, patienceMs: 60_000 });
    expect(models['service-1.6-lite'].patienceMs).toBeUndefined();
  });

  it('prices each model by its own name, else the profile by its first', async () => {
    const prices = { 'service-1.6': { input: 1, output: 1 }, 'compatible/c': { input: 3, output: 3 } };
    const models = await openModels({
      model: 'compatible/a,compatible/b,compatible/c,openai/gpt-4o',
      baseUrl: 'http://h/v1',
      apiKey: 'k',
      prices,
    });
    const { price, fallbacks = [] } = models['service-1.6'];
    expect([price, ...fallbacks.map((each) => each.price)].map((each) => each?.input)).toEqual([1, 1, 3, 250]);
    expect(models['service-1.6-max'].price).toBeNull();
  });

  it.each<[ModelSettings, string]>([
    [{ model: 'gpt-5' }, 'ERRAND_MODEL'],
    [{ model: '/gpt-5' }, 'ERRAND_MODEL'],
    [{ model: 'openai/', apiKey: 'k' }, 'ERRAND_MODEL'],
    [{ model: 'nobody/x' }, 'ERRAND_MODEL'],
    [{ model: 'constructor/x' }, 'ERRAND_MODEL'],
    [{ model: 'offline/offline-2' }, 'ERRAND_MODEL'],
    [{ model: 'offline/offline-1', modelLite: 'nobody/x' }, 'ERRAND_MODEL_LITE'],
    [{ model: 'offline/offline-1', modelMax: 'nobody/x' }, 'ERRAND_MODEL_MAX'],
    [{ model: 'compatible/x' }, 'ERRAND_MODEL_BASE_URL'],
    [{ model: 'compatible/x', baseUrl: 'localhost:8000' }, 'ERRAND_MODEL_BASE_URL'],
    [{ model: 'compatible/x', baseUrl: 'file:///etc' }, 'ERRAND_MODEL_BASE_URL'],
    [{ baseUrl: 'http://localhost:1/v1' }, 'ERRAND_MODEL'],
    [{ model: 'openai/x' }, 'ERRAND_MODEL_API_KEY must be set for .*, unless OPENAI_API_KEY is'],
    [
      { model: 'anthropic/x', providerKeys: { openai: 'k' } },
      'ERRAND_MODEL_API_KEY must be set for .*, unless ANTHROPIC_API_KEY is',
    ],
    [{ model: 'google/x', apiKey: '' }, 'ERRAND_MODEL_API_KEY must be set for .*, unless GOOGLE_GENERATIVE_AI_API_KEY is'],
  ])('rejects %o with one line that names the variable', async (settings, variable) => {
    const error = await openModels(settings, { discover: nothingFound }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartFault);
    expect((error as StartFault).message).toMatch(new RegExp(`^${variable}\\b[^\n]*\\.$`));
  });
});

describe('openProfiles', () => {
  const stored = (models: string, apiKey: string | null = null, baseUrl: string | null = null) => ({ models, apiKey, baseUrl });
  const open = (settings: ModelSettings, set: StoredProfiles) => {
    const opened = openProfiles(settings, set, 'ollama/found');
    return [opened['service-1.6'], opened['service-1.6-lite'], opened['service-1.6-max']];
  };

  it('takes the environment first, then what is set in the service, then what was found', () => {
    const set = { 'service-1.6': stored('ollama/set'), 'service-1.6-max': stored('ollama/large') };
    const sources = (settings: ModelSettings, some: StoredProfiles) =>
      open(settings, some).map(({ source, model }) => [source, model.name]);
    expect(sources({}, {})).toEqual(Array.from({ length: 3 }, () => ['built_in', 'ollama/found']));
    expect(sources({}, set)).toEqual([
      ['settings', 'ollama/set'],
      ['settings', 'ollama/set'],
      ['settings', 'ollama/large'],
    ]);
    expect(sources({ model: 'ollama/fixed', modelMax: 'ollama/most' }, set)).toEqual([
      ['environment', 'ollama/fixed'],
      ['environment', 'ollama/fixed'],
      ['environment', 'ollama/most'],
    ]);
  });

  it('lets no key go to another provider, or to a URL that it was not set for', () => {
    const settings = {
      model: 'google/env',
      baseUrl: 'http://env/v1',
      apiKey: 'of the environment',
      providerKeys: { openai: 'own' },
    };
    const set: StoredProfiles = {
      'service-1.6': stored('anthropic/a, openai/b, compatible/c', 'first'),
      'service-1.6-lite': stored('compatible/d', 'second', 'http://set/v1'),
      'service-1.6-max': stored('openai/e', null, 'http://proxy/v1'),
    };
    const access = (name: string, some = set) => {
      const { baseUrl, apiKey } = chooseStoredEndpoint('service-1.6', name, some, settings);
      return [baseUrl, apiKey];
    };
    expect(access('anthropic/a')).toEqual(['https://api.anthropic.com/v1', 'first']);
    expect(access('compatible/c')).toEqual(['http://set/v1', 'second']);
    expect(access('ollama/x')).toEqual(['http://127.0.0.1:11434/v1', undefined]);
    expect(access('google/x')).toEqual(['http://env/v1', 'of the environment']);
    expect(() => access('openai/b')).toThrow(/^api_key must be set for models=openai\/b\.$/);
    expect(access('openai/b', { 'service-1.6': stored('openai/b') })).toEqual(['https://api.openai.com/v1', 'own']);
  });

  it('starts with settings that lack something, and says so in every call', async () => {
    const [standard] = open({}, { 'service-1.6': stored('openai/gpt-5') });
    expect(standard).toMatchObject({ source: 'settings', problem: expect.stringContaining('OPENAI_API_KEY') as string });
    const options = { signal: new AbortController().signal, onText: () => undefined };
    const call = standard?.model.call({ system: '', transcript: [], tools: [] }, options);
    await expect(call).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('api_key') as string });
  });
});
