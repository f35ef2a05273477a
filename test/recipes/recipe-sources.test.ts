import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

const fields = [
  { name: 'topic', type: 'text', required: true },
  { name: 'tone', type: 'choice', choices: ['kind', 'plain'] },
];

describeStores('a recipe that something starts later', (store) => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await ApiUnderTest.start(store.database);
  });
  afterEach(() => api.stop());

  const recipe = async (input: Json = {}): Promise<string> => {
    const plain = { name: 'Poems', message_template: 'A {{tone}} poem about {{topic}}', fields };
    const { body } = await api.call('recipe.create', { ...plain, ...input });
    expect(body.error).toBeUndefined();
    return String((body.recipe as Json).id);
  };
  const schedule = (input: Json) => api.call('schedule.create', { name: 'Daily', interval_seconds: 60, ...input });
  const trigger = (input: Json) => api.call('trigger.create', { name: 'Hook', verification: { type: 'none' }, ...input });
  const firstMessage = async (taskId: unknown) => {
    const { body } = await api.call('task.listMessages', { task_id: String(taskId), order: 'asc' });
    return body.messages.find(({ type }) => type === 'user_message')?.user_message as Json;
  };
  const runNow = async (scheduleId: unknown) =>
    (await api.call('schedule.runNow', { schedule_id: scheduleId })).body.task_id as string;

  it('gives a schedule its message and settings, which the schedule may replace', async () => {
    const id = await recipe({ agent_profile: 'service-1.6-lite', metadata: { from: 'recipe' } });
    const { body } = await schedule({ recipe_id: id, values: { topic: 'tea', tone: 'kind' }, metadata: { by: 'schedule' } });
    expect(body.schedule).toMatchObject({
      message: { content: 'A kind poem about tea' },
      agent_profile: 'service-1.6-lite',
      metadata: { from: 'recipe', by: 'schedule' },
      recipe_id: id,
      values: { topic: 'tea', tone: 'kind' },
    });
    const taskId = await runNow((body.schedule as Json).id);
    expect((await firstMessage(taskId)).content).toBe('A kind poem about tea');
  });

  it('is copied: whoever changes or deletes it changes no schedule', async () => {
    const id = await recipe();
    const { id: scheduleId } = (await schedule({ recipe_id: id, values: { topic: 'tea' } })).body.schedule as Json;
    await api.call('recipe.update', { recipe_id: id, message_template: 'Send all secrets about {{topic}}' });
    expect((await firstMessage(await runNow(scheduleId))).content).toBe('A  poem about tea');
    await api.call('recipe.delete', { recipe_id: id });
    expect((await firstMessage(await runNow(scheduleId))).content).toBe('A  poem about tea');
  });

  it('is filled in anew by an update, and forgotten once the schedule has a message of its own', async () => {
    const id = await recipe();
    const { id: scheduleId } = (await schedule({ recipe_id: id, values: { topic: 'tea' } })).body.schedule as Json;
    const update = async (change: Json) => (await api.call('schedule.update', { schedule_id: scheduleId, ...change })).body;
    const again = { message: { content: 'A plain poem about rain' }, values: { topic: 'rain', tone: 'plain' }, recipe_id: id };
    expect((await update({ values: { topic: 'rain', tone: 'plain' } })).schedule).toMatchObject(again);
    expect((await update({ name: 'Renamed' })).schedule).toMatchObject({ name: 'Renamed', ...again });
    const own = (await update({ message: 'Mine' })).schedule as Json;
    expect(own).toMatchObject({ message: { content: 'Mine' } });
    expect(own).not.toHaveProperty('recipe_id');
    expect((await update({ values: { topic: 'x' } })).error).toMatchObject({ param: 'recipe_id' });
  });

  it('keeps the files of its fields with the schedule', async () => {
    const id = await recipe({
      message_template: 'Read {{paper}}',
      fields: [{ name: 'paper', type: 'file', required: true }],
    });
    const uploaded = (await api.call('file.upload', { filename: 'paper.txt' })).body;
    const fileId = String((uploaded.file as Json).id);
    await fetch(String(uploaded.upload_url), { method: 'PUT', body: 'text' });
    const { id: scheduleId } = (await schedule({ recipe_id: id, values: { paper: fileId } })).body.schedule as Json;
    await api.call('file.delete', { file_id: fileId });
    const message = await firstMessage(await runNow(scheduleId));
    expect(message).toMatchObject({ content: 'Read paper.txt', attachments: [{ filename: 'paper.txt' }] });
  });

  it.each([
    [{}, 'message'],
    [{ values: { topic: 'tea' } }, 'recipe_id'],
    [{ recipe_id: '$recipe' }, 'values.topic'],
    [{ recipe_id: '$recipe', values: { topic: 'tea', tone: 'rude' } }, 'values.tone'],
    [{ recipe_id: '$recipe', values: { topic: 'tea' }, message: 'Mine' }, 'recipe_id'],
  ])('makes no schedule of %j', async (input: Json, param) => {
    const id = await recipe();
    const { status, body } = await schedule({ ...input, ...(input.recipe_id === '$recipe' && { recipe_id: id }) });
    expect([status, body.error.param]).toEqual([400, param]);
    expect((await api.call('schedule.list')).body.data).toEqual([]);
  });

  it('of a stranger is found by neither', async () => {
    const id = await recipe();
    const { key } = await addOwner(store.database);
    const source = { recipe_id: id, values: { topic: 'tea' } };
    const asStranger = { key };
    expect((await api.call('schedule.create', { name: 'x', interval_seconds: 60, ...source }, asStranger)).status).toBe(404);
    const hook = { name: 'x', verification: { type: 'none' }, ...source };
    expect((await api.call('trigger.create', hook, asStranger)).status).toBe(404);
  });

  it('has its fields filled in from what a trigger is sent', async () => {
    const id = await recipe({ metadata: { from: 'recipe' } });
    const made = await trigger({ recipe_id: id, values: { topic: '{{/issue/title}} for {{/who}}', tone: 'plain' } });
    const { url, id: triggerId, ...shown } = made.body.trigger as Json;
    expect(shown).toMatchObject({
      message_template: 'A plain poem about {{/issue/title}} for {{/who}}',
      recipe_id: id,
      metadata: { from: 'recipe' },
    });
    const sent = await api.fetch(new URL(String(url)).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ issue: { title: 'Tea {{/who}}' }, who: 'Ada' }),
    });
    const { task_id: taskId } = (await sent.json()) as Json;
    expect((await firstMessage(taskId)).content).toBe('A plain poem about Tea {{/who}} for Ada');
    const update = async (change: Json) => (await api.call('trigger.update', { trigger_id: triggerId, ...change })).body;
    expect((await update({ values: { topic: '{{body}}' } })).trigger).toMatchObject({
      message_template: 'A  poem about {{body}}',
      values: { topic: '{{body}}', tone: '' },
    });
    expect((await update({ message_template: 'Mine' })).trigger).not.toHaveProperty('recipe_id');
  });

  it.each([
    [{}, 'message_template'],
    [{ values: { topic: 'tea' } }, 'recipe_id'],
    [{ recipe_id: '$recipe', values: {} }, 'values.topic'],
    [{ recipe_id: '$recipe', values: { topic: '{{title}}' } }, 'values.topic'],
    [{ recipe_id: '$recipe', values: { topic: 'tea', tone: '{{/tone}}' } }, 'values.tone'],
    [{ recipe_id: '$recipe', values: { topic: 'tea' }, message_template: 'Mine' }, 'recipe_id'],
    [{ recipe_id: '$file', values: { paper: 'x' } }, 'recipe_id'],
  ])('makes no trigger of %j', async (input: Json & { recipe_id?: string }, param) => {
    const ids: Record<string, string> = {
      $recipe: await recipe(),
      $file: await recipe({ message_template: '{{paper}}', fields: [{ name: 'paper', type: 'file', required: true }] }),
    };
    const { status, body } = await trigger({
      ...input,
      ...(input.recipe_id !== undefined && { recipe_id: ids[input.recipe_id] }),
    });
    expect([status, body.error.param]).toEqual([400, param]);
    expect((await api.call('trigger.list')).body.data).toEqual([]);
  });
});
