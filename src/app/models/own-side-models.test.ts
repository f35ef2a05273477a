import { expect, it } from 'vitest';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { StoredProfiles } from '../../models/providers/stored-access.ts';
import { openOwnProfiles, openOwnSideModels } from './own-models.ts';

const apiKey = 'key-of-the-account';

/** What an account with these models has, and the hosts that it dialed. */
function open(stored: StoredProfiles) {
  const dialed: string[] = [];
  const dial = ({ host }: URL) => {
    dialed.push(host);
    return Promise.reject(new OutboundFault('blocked', `${host} leads to 10.0.0.7`));
  };
  const [clock, environment] = [new TestClock(), { prices: { 'openai/gpt-image-2.5-flare': { input: 5, output: 5 } } }];
  return { dialed, ...openOwnSideModels(openOwnProfiles(stored, environment, clock, dial), clock, dial) };
}

const profileOf = (models: string, baseUrl: string | null = null) => ({ models, baseUrl, apiKey });
const order = { prompt: 'A lighthouse', shape: 'square', quality: 'low', sources: [] } as const;

it('an account with a key of a provider that has them makes pictures and transcribes with it, and pays no credits', () => {
  const { pictureModel, transcriber } = open({ 'service-1.6': profileOf('openai/gpt-5,openai/gpt-5-mini') });
  expect([pictureModel?.name, transcriber?.name]).toEqual([
    'own:openai/gpt-image-2.5-flare',
    'own:openai/gpt-4o-mini-transcribe',
  ]);
  expect(pictureModel?.estimate(order).cost).toBe(0);
});

it('the first profile whose provider has such models decides', () => {
  const anthropic = profileOf('anthropic/claude-sonnet-5');
  const google = open({ 'service-1.6': anthropic, 'service-1.6-max': profileOf('google/gemini-3-flash') });
  expect(google.pictureModel?.name).toMatch(/^own:google\//);
  const both = open({ 'service-1.6': profileOf('openai/gpt-5'), 'service-1.6-lite': profileOf('google/gemini-3-flash') });
  expect(both.transcriber?.name).toMatch(/^own:openai\//);
});

it.each([
  ['providers without such models', { 'service-1.6': profileOf('anthropic/claude-sonnet-5') }],
  ['servers of which nobody knows', { 'service-1.6': profileOf('compatible/a', 'https://models.example.com/v1') }],
  ['settings that do not work', { 'service-1.6': { ...profileOf('openai/gpt-5'), apiKey: null } }],
  ['accounts without keys', {}],
] satisfies [string, StoredProfiles][])('there are none for %s', (_, stored) => {
  expect(open(stored)).toEqual({ dialed: [] });
});

it('are asked at the address of the account, by the rules for outbound requests; a refusal names no host', async () => {
  const { pictureModel, transcriber, dialed } = open({
    'service-1.6': profileOf('openai/gpt-5', 'https://inner.example.com/v1'),
  });
  const { signal } = new AbortController();
  const problem = 'this service may not connect to its address';
  await expect(pictureModel?.make(order, signal)).rejects.toThrow(`own:openai/gpt-image-2.5-flare: ${problem}`);
  const recording = { mediaType: 'audio/ogg', bytes: Buffer.from('OggS') };
  await expect(transcriber?.transcribe(recording, signal)).rejects.toThrow(`own:openai/gpt-4o-mini-transcribe: ${problem}`);
  expect(dialed).toEqual(['inner.example.com', 'inner.example.com']);
});
