import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { askLegacy } from '../support/http/legacy-call.ts';

describeStores('the family of a task', (store) => {
  /** The same key in the header of a family. */
  const as = (api: ApiUnderTest, family: string) => ({ key: null, headers: { [`x-${family}-api-key`]: api.owner.key } });

  /** All names under which the profile of a task is read, by callers of both families and both versions. */
  async function namesOf(api: ApiUnderTest, taskId: string): Promise<Set<unknown>> {
    const names = new Set<unknown>();
    const isIt = ({ id }: Json) => id === taskId;
    for (const family of ['service', 'manus']) {
      const { task } = (await api.call('task.detail', { task_id: taskId }, as(api, family))).body;
      const { data } = (await api.call('task.list', {}, as(api, family))).body;
      for (const profile of [task.agent_profile, data.find(isIt)?.agent_profile]) names.add(profile);
    }
    const list = (await askLegacy(api, '/v1/tasks')).body as { data: Json[] };
    for (const found of [await askLegacy(api, `/v1/tasks/${taskId}`), await askLegacy(api, `/responses/${taskId}`)])
      names.add(String(found.body?.model).replace('-agent', ''));
    names.add(String(list.data.find(isIt)?.model).replace('-agent', ''));
    return names;
  }

  it.each<[header: string, profile: string | undefined, name: string]>([
    ['manus', undefined, 'manus-1.6'],
    ['manus', 'manus-1.6-max', 'manus-1.6-max'],
    ['service', undefined, 'service-1.6'],
    ['service', 'manus-1.6-lite', 'manus-1.6-lite'],
    ['manus', 'service-1.6-lite', 'service-1.6-lite'],
  ])('created with the header of %s and the profile %s stays, whoever reads it', async (header, agent_profile, name) => {
    await using api = await ApiUnderTest.start(store.database);
    const { body } = await api.call('task.create', { message: { content: 'x' }, agent_profile }, as(api, header));
    const task_id = String(body.task_id);
    expect(await namesOf(api, task_id)).toEqual(new Set([name]));
    const message = { content: 'y' };
    await api.call('task.sendMessage', { task_id, message, agent_profile: 'service-1.6-max' }, as(api, 'service'));
    expect(await namesOf(api, task_id)).toEqual(new Set([`${name.split('-')[0]}-1.6-max`]));
  });

  it.each<[path: string, body: Json, name: string]>([
    ['/v1/tasks', { prompt: 'x', agentProfile: 'manus-1.5-lite' }, 'manus-1.6-lite'],
    ['/v1/tasks', { prompt: 'x' }, 'service-1.6'],
    ['/responses', { input: 'x', model: 'manus-1.6-agent' }, 'manus-1.6'],
  ])('created through v1 at %s with %j stays as well', async (path, body, name) => {
    await using api = await ApiUnderTest.start(store.database);
    const made = (await askLegacy(api, path, { method: 'POST', body })).body;
    expect(await namesOf(api, String(made?.task_id ?? made?.id))).toEqual(new Set([name]));
  });

  it('is the one whose profiles an error names', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const ask = async (family: string, agent_profile: string) => {
      const input = { message: { content: 'x' }, agent_profile };
      return (await api.call('task.create', input, as(api, family))).body.error.message;
    };
    const known = (family: string) => `must be one of "${family}-1.6", "${family}-1.6-lite", "${family}-1.6-max"`;
    expect(await ask('manus', 'best')).toBe(`agent_profile: ${known('manus')}`);
    expect(await ask('service', 'best')).toBe(`agent_profile: ${known('service')}`);
    expect(await ask('service', 'manus-9')).toBe(`agent_profile: ${known('manus')}`);
    const body = { prompt: 'x', agentProfile: 'manus-9' };
    expect((await askLegacy(api, '/v1/tasks', { method: 'POST', body })).body?.message).toBe(`agentProfile: ${known('manus')}`);
  });
});
