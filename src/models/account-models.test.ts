import { expect, it } from 'vitest';
import { TestClock } from '../../test/support/base/test-clock.ts';
import { AccountModels, type OwnModels } from './account-models.ts';
import { CurrentModels } from './current-models.ts';
import { openProfiles } from './model-registry.ts';
import type { Model } from './model.ts';

const modelOf = (name: string): Model => openProfiles({ model: `ollama/${name}` }, {}, 'offline/offline-1')['service-1.6'].model;

function open({ keys = {}, clock = new TestClock() }: { keys?: Record<string, OwnModels>; clock?: TestClock } = {}) {
  const reads: string[] = [];
  const stored = { keys, problem: null as Error | null };
  const read = <Value>(what: string, value: () => Value) => {
    reads.push(what);
    return stored.problem ? Promise.reject<Value>(stored.problem) : Promise.resolve(value());
  };
  const models = new AccountModels({
    current: new CurrentModels(openProfiles({ model: 'ollama/service' }, {}, 'offline/offline-1'), clock),
    clock,
    isAny: () => read('any', () => Object.keys(stored.keys).length > 0),
    load: (accountId) => read(accountId, () => stored.keys[accountId] ?? {}),
  });
  const nameFor = async (accountId: string, profile = 'service-1.6') => {
    const caller = { accountId, profile };
    await models.settle(caller);
    return models.get(caller).name;
  };
  return { models, reads, stored, clock, nameFor };
}

it('tasks use the models of their own account, and those of the service where it has none', async () => {
  const { nameFor } = open({
    keys: { ann: { 'service-1.6': modelOf('of-ann') }, ben: { 'service-1.6-max': modelOf('of-ben') } },
  });
  expect(await nameFor('ann')).toBe('ollama/of-ann');
  expect(await nameFor('ann', 'no-such-profile')).toBe('ollama/of-ann');
  expect(await nameFor('ben')).toBe('ollama/service');
  expect(await nameFor('ben', 'service-1.6-max')).toBe('ollama/of-ben');
  expect(await nameFor('cleo', 'service-1.6-max')).toBe('ollama/service');
});

it('nothing is read for an account while none has keys, and each account once otherwise', async () => {
  const { nameFor, reads, stored, models } = open();
  for (const accountId of ['ann', 'ben', 'ann']) await nameFor(accountId);
  expect(reads).toEqual(['any']);
  stored.keys = { ann: { 'service-1.6': modelOf('of-ann') } };
  models.refresh();
  for (const accountId of ['ann', 'ben', 'ann', 'ben']) await nameFor(accountId);
  expect(reads).toEqual(['any', 'any', 'ann', 'ben']);
});

it('a change is used by the next call, while a call that has begun keeps its model', async () => {
  const { models, stored, nameFor } = open({ keys: { ann: { 'service-1.6': modelOf('first') } } });
  const running = { accountId: 'ann', profile: 'service-1.6' };
  await models.settle(running);
  stored.keys = {};
  models.refresh();
  expect(models.get(running).name).toBe('ollama/first');
  await models.settle(running);
  expect([models.get(running).name, await nameFor('ann')]).toEqual(['ollama/service', 'ollama/service']);
});

it('a change whose hint was lost is noticed after half a minute', async () => {
  const { stored, nameFor, clock } = open({ keys: { ann: { 'service-1.6': modelOf('first') } } });
  expect(await nameFor('ann')).toBe('ollama/first');
  stored.keys = { ann: { 'service-1.6': modelOf('second') } };
  await clock.advance(29_000);
  expect(await nameFor('ann')).toBe('ollama/first');
  await clock.advance(1_000);
  expect(await nameFor('ann')).toBe('ollama/second');
});

it('a task whose keys cannot be read gets no model of the service in their place, and is asked again', async () => {
  const { models, stored, nameFor } = open({ keys: { ann: { 'service-1.6': modelOf('of-ann') } } });
  const caller = { accountId: 'ann', profile: 'service-1.6' };
  expect(() => models.get(caller)).toThrow('not settled');
  stored.problem = new Error('no database');
  await expect(models.settle(caller)).rejects.toThrow('no database');
  expect(() => models.get(caller)).toThrow('not settled');
  stored.problem = null;
  expect(await nameFor('ann')).toBe('ollama/of-ann');
});

it('what works beside the model of a task is that of its own account, too', async () => {
  const transcriber = { name: 'own:openai/ear', maxBytes: 1, transcribe: () => Promise.resolve('') };
  const { models } = open({ keys: { ann: { 'service-1.6': modelOf('of-ann'), transcriber } } });
  const earOf = async (accountId: string) => {
    const caller = { accountId, profile: 'service-1.6' };
    await models.settle(caller);
    return models.besides(caller).transcriber;
  };
  expect([await earOf('ann'), await earOf('ben')]).toEqual([transcriber, undefined]);
  expect(() => models.besides({ accountId: 'ann', profile: 'service-1.6' })).toThrow('not settled');
});

it('the models of a thousand accounts are remembered, those used last', async () => {
  const { reads, nameFor } = open({ keys: { ann: {} } });
  for (let at = 0; at < 1000; at++) await nameFor(`account ${at}`);
  await nameFor('account 0');
  await nameFor('one more');
  const before = reads.length;
  await nameFor('account 0');
  expect(reads).toHaveLength(before);
  await nameFor('account 1');
  expect(reads.slice(before)).toEqual(['account 1']);
});
