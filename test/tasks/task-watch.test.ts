import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addSession, type TestSession } from '../support/accounts/web-session.ts';
import { ApiUnderTest, addOwner, type Json } from '../support/http/api-under-test.ts';
import { EventReader, type StreamMessage } from '../support/http/sse-reader.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

type Shown = Record<string, string>;

async function watch(api: ApiUnderTest, session: TestSession): Promise<EventReader> {
  return EventReader.open(api, {}, { key: null, headers: session.headers }, '/web/task.watch');
}

/** What a page knows that shows what the stream brings. */
class ListView {
  readonly #reader: EventReader;
  readonly #tasks = new Map<string, Json>();
  readonly messages: StreamMessage[] = [];

  constructor(reader: EventReader) {
    this.#reader = reader;
  }

  get shown(): Shown {
    return Object.fromEntries([...this.#tasks].map(([id, { status, title }]) => [id, `${String(title)}: ${String(status)}`]));
  }

  /** Reads on until this is shown, or so much else that it will not be any more; answers what is shown then. */
  async until(expected: Shown): Promise<Shown> {
    for (let look = 0; look < 12; look++) {
      if (look > 0 && JSON.stringify(this.shown, Object.keys(expected)) === JSON.stringify(expected)) break;
      const message = await this.#reader.next();
      if (message?.kind === 'comment') continue;
      this.messages.push(message ?? { kind: 'end', id: null, data: {} });
      for (const task of (message?.data.tasks ?? []) as Json[]) this.#tasks.set(String(task.id), task);
      for (const id of (message?.data.gone ?? []) as string[]) this.#tasks.delete(id);
    }
    return this.shown;
  }
}

describeStores('task.watch', (store) => {
  const shows = async (view: ListView, expected: Shown) => expect(await view.until(expected)).toEqual(expected);

  it('reports tasks that are new, change, or disappear, in any process, and nothing that is not in the list', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await using other = await ApiUnderTest.start(store.others[0] ?? store.database, { owner: api.owner });
    const stranger = await addOwner(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const create = async (title: string, more: Json = {}, key = api.owner.key) => {
      const answer = await other.call('task.create', { message: { content: title }, title, ...more }, { key });
      return String(answer.body.task_id);
    };
    const first = await create('first');
    const reader = await watch(api, session);
    const view = new ListView(reader);
    await shows(view, { [first]: 'first: running' });
    expect(view.messages[0]).toMatchObject({ kind: 'list', id: null, data: { is_whole: true, gone: [] } });
    const listed = await api.call('task.detail', { task_id: first });
    expect(view.messages[0]?.data.tasks).toEqual([listed.body.task]);

    await create('of somebody else', {}, stranger.key);
    await create('hidden', { hide_in_task_list: true });
    const second = await create('second');
    await shows(view, { [first]: 'first: running', [second]: 'second: running' });
    await other.call('task.update', { task_id: second, title: 'renamed' });
    await (await WorkerHand.take(store.database, first)).finish('done');
    await shows(view, { [first]: 'first: stopped', [second]: 'renamed: running' });
    await other.call('task.stop', { task_id: second });
    await other.call('task.delete', { task_id: first });
    await shows(view, { [second]: 'renamed: stopped' });
    const reported = JSON.stringify(view.messages);
    expect(reported).not.toMatch(/somebody else|hidden/);
    // A change is reported as what changed, not as the whole list again.
    expect(view.messages.slice(1).every(({ data }) => data.is_whole === false)).toBe(true);
    reader.leave();
  });

  it('reports nothing while a task continues without a change visible in a list, however many events it logs', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const taskId = await api.createTask();
    const reader = await watch(api, session);
    const view = new ListView(reader);
    const { title } = (await api.call('task.detail', { task_id: taskId })).body.task;
    await shows(view, { [taskId]: `${String(title)}: running` });
    const hand = await WorkerHand.take(store.database, taskId);
    for (let step = 1; step <= 10; step++) await hand.step(step);
    await hand.ask('Which one?');
    await shows(view, { [taskId]: `${String(title)}: waiting` });
    expect(view.messages).toHaveLength(2);
    reader.leave();
  });

  it('requires a session, and ends with it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    expect((await api.fetch('/web/task.watch')).status).toBe(403);
    expect((await api.fetch('/web/task.watch', {}, { key: null })).status).toBe(401);
    const reader = await watch(api, session);
    await reader.take(1);
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    await api.fetch('/web/session.delete', init, { key: null, headers: session.headers });
    expect((await reader.rest()).filter(({ kind }) => kind !== 'comment')).toEqual([]);
  });
});
