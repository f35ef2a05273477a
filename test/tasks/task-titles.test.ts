import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';
import { WebhooksUnderTest } from '../webhooks/webhooks-under-test.ts';

const steps = [{ title: 'Look', status: 'doing', startedAt: 1, endedAt: null }] as const;
const message = { content: 'please look at what we sold in May, and tell me what stands out' };

describeStores('the title of a task', (store) => {
  const readTitles = async (api: ApiUnderTest, taskId: string): Promise<Json> => {
    const { task } = (await api.call('task.detail', { task_id: taskId })).body;
    const listed = (await api.call('task.list', { query: String(task.title) })).body.data.map(({ id }) => id);
    return { title: task.title, isFound: listed.includes(taskId) };
  };
  const create = async (api: ApiUnderTest, more: Json = {}) => {
    const { body } = await api.call('task.create', { message, ...more });
    return String(body.task_id);
  };
  const name = (hand: WorkerHand, title: string) => hand.log({ type: 'plan_updated', steps: [...steps], title });

  it('is the beginning of its message until the agent names it, once', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await create(api);
    expect(await readTitles(api, taskId)).toEqual({
      title: expect.stringMatching(/^please look at what we sold/) as string,
      isFound: true,
    });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.log({ type: 'plan_updated', steps: [...steps] });
    await name(hand, 'Sales of May');
    expect(await readTitles(api, taskId)).toEqual({ title: 'Sales of May', isFound: true });
    await name(hand, 'Something else');
    expect(await readTitles(api, taskId)).toEqual({ title: 'Sales of May', isFound: true });
  });

  it('stays what a program or a person has called it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const given = await create(api, { title: 'Order 7' });
    await name(await WorkerHand.take(store.database, given), 'Sales of May');
    expect(await readTitles(api, given)).toMatchObject({ title: 'Order 7' });
    const changed = await create(api);
    await api.call('task.update', { task_id: changed, title: 'May' });
    await name(await WorkerHand.take(store.database, changed), 'Sales of May');
    expect(await readTitles(api, changed)).toMatchObject({ title: 'May' });
  });

  it('is not given by a worker that has lost the task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await create(api);
    const hand = await WorkerHand.take(store.database, taskId);
    await api.call('task.stop', { task_id: taskId });
    await expect(name(hand, 'Sales of May')).rejects.toThrow('lost');
    expect((await readTitles(api, taskId)).title).toMatch(/^please look/);
  });

  it('is in what webhooks receive after the event that names it', async () => {
    await using bed = await WebhooksUnderTest.start(store.database);
    await bed.register();
    const taskId = await create(bed.api);
    const hand = await WorkerHand.take(store.database, taskId);
    await name(hand, 'Sales of May');
    await hand.finish('done');
    const titles = (await bed.receive(2)).map(({ event }) => [event.event_type, JSON.stringify(event)] as const);
    for (const [type, text] of titles) {
      expect([type, text.includes('"task_title":"Sales of May"')]).toEqual([type, type !== 'task_created']);
    }
  });
});
