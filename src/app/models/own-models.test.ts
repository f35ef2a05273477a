import { describe, expect, it } from 'vitest';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { AgentUnderTest, inTurn } from '../../../test/support/tasks/agent-under-test.ts';
import type { StoredProfiles } from '../../models/providers/stored-access.ts';
import { openOwnProfiles } from './own-models.ts';
import { openStored } from './stored-models.ts';

const environment = {
  model: 'anthropic/claude-sonnet-5',
  apiKey: 'key-of-the-operator',
  baseUrl: 'https://models.operator.example/v1',
  providerKeys: { openai: 'key-of-the-operator', anthropic: 'key-of-the-operator' },
  tuning: { 'service-1.6': { window: 8000, effort: 'high' as const, patienceMs: 60_000 } },
  prices: { 'service-1.6': { input: 5, output: 5 }, 'openai/gpt-5': { input: 5, output: 5 } },
};

function open(stored: StoredProfiles, problem: Error = new Error('was dialed')) {
  const dial = () => Promise.reject(problem);
  return openOwnProfiles(stored, environment, new TestClock(), dial);
}

describe('the models of an account', () => {
  const own = { models: 'openai/gpt-5,openai/gpt-5-mini', baseUrl: null, apiKey: 'key-of-the-account' };

  it('are marked, cost nothing, and have of the operator only the patience', () => {
    const { model, source } = open({ 'service-1.6': own })['service-1.6'];
    expect([source, model.name, model.price, model.patienceMs]).toEqual(['settings', 'own:openai/gpt-5', null, 60_000]);
    expect(model.fallbacks?.map(({ name, price }) => [name, price])).toEqual([['own:openai/gpt-5-mini', null]]);
    expect(model.window).toBeGreaterThan(8000);
  });

  it('serve profiles without their own if they are those of the standard profile, and no others', () => {
    const ofStandard = open({ 'service-1.6': own });
    expect(ofStandard['service-1.6-max']).toMatchObject({ source: 'settings', model: { name: 'own:openai/gpt-5' } });
    const ofMax = open({ 'service-1.6-max': own });
    expect([ofMax['service-1.6'].source, ofMax['service-1.6-lite'].source]).toEqual(['built_in', 'built_in']);
  });

  it.each([
    { models: 'openai/gpt-5', baseUrl: null, apiKey: null },
    { models: 'anthropic/claude-sonnet-5', baseUrl: 'https://elsewhere.example.com', apiKey: null },
    { models: 'openai/gpt-5,anthropic/claude-sonnet-5', baseUrl: null, apiKey: 'key-of-the-account' },
    { models: 'compatible/a', baseUrl: null, apiKey: 'key-of-the-account' },
  ])('never get a key or URL of the operator: %o', ({ models, baseUrl, apiKey }) => {
    const { problem, model } = open({ 'service-1.6': { models, baseUrl, apiKey } })['service-1.6'];
    expect(problem).toMatch(/^(api_key|base_url) must be set/);
    expect(model.name).toMatch(/^own:/);
  });

  it('name no host in the error of a task if the service may not connect to it', async () => {
    const stored = { models: 'compatible/a', baseUrl: 'https://inner.example.com/v1', apiKey: 'key-of-the-account' };
    const blocked = new OutboundFault('blocked', 'inner.example.com leads to 10.0.0.7, which is not public');
    const agent = new AgentUnderTest({ script: inTurn() });
    const { model } = open({ 'service-1.6': stored }, blocked)['service-1.6'];
    agent.ports.modelFor = () => model;
    await (await agent.create()).drive();
    const events = JSON.stringify(await agent.readEvents());
    expect(events).toContain('own:compatible/a: this service may not connect to its address');
    expect(events).not.toMatch(/inner\.example|10\.0\.0\.7/);
  });

  it('cannot be called by a process that cannot read their key, and say so', async () => {
    const place = (profile: string) => `place of ${profile}`;
    const sealedKey = new SealedBox('one secret, long enough').seal('k', place('service-1.6'));
    const rows = [{ profile: 'service-1.6' as const, models: 'openai/gpt-5', baseUrl: null, sealedKey }];
    const { model, problem } = open(openStored(rows, new SealedBox('another secret, long'), place))['service-1.6'];
    expect(problem).toContain('ERRAND_SECRET');
    const call = model.call(
      { system: '', transcript: [], tools: [] },
      { signal: new AbortController().signal, onText: () => undefined },
    );
    await expect(call).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('cannot read') as string });
  });
});
