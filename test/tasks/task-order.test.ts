import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addSession, type TestSession } from '../support/accounts/web-session.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

async function search(api: ApiUnderTest, session: TestSession, query = ''): Promise<string[]> {
  const response = await api.fetch(`/web/task.search?${query}`, {}, { key: null, headers: session.headers });
  return ((await response.json()) as { data: { title: string }[] }).data.map(({ title }) => title);
}

async function repeat(api: ApiUnderTest, session: TestSession, taskId: string): Promise<Response> {
  const body = JSON.stringify({ task_id: taskId });
  const headers = { ...session.headers, 'content-type': 'application/json' };
  return api.fetch('/web/task.repeat', { method: 'POST', body }, { key: null, headers });
}

describeStores('tasks in order', (store) => {
  it('are pinned and archived by their owner, which lists and task.detail show, and task.list lists all of them', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const ids = [];
    for (const title of ['old', 'middle', 'new']) ids.push(await api.createTask('x', { title }));
    const [old, middle] = ids;
    await api.call('task.update', { task_id: old, is_pinned: true });
    await api.call('task.update', { task_id: middle, is_archived: true });
    expect(await search(api, session)).toEqual(['new', 'old']);
    expect(await search(api, session, 'is_pinned=true')).toEqual(['old']);
    expect(await search(api, session, 'is_archived=true')).toEqual(['middle']);
    const { body } = await api.call('task.list');
    expect(body.data.map(({ title, is_pinned: pinned, is_archived: archived }) => [title, pinned, archived])).toEqual([
      ['new', undefined, undefined],
      ['middle', undefined, true],
      ['old', true, undefined],
    ]);
    await api.call('task.update', { task_id: old, title: 'renamed' });
    expect(await search(api, session, 'is_pinned=true')).toEqual(['renamed']);
    await api.call('task.update', { task_id: old, is_pinned: false });
    await api.call('task.update', { task_id: middle, is_archived: false });
    expect(await search(api, session, 'is_pinned=true')).toEqual([]);
    expect(await search(api, session)).toEqual(['new', 'middle', 'renamed']);
  });

  it('start again with the first message, its files, and the settings, as new private tasks', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const file = { type: 'file', filename: 'sales.csv', file_data: `data:text/csv;base64,${btoa('a,b')}` };
    const content = [{ type: 'text', text: 'Add them up' }, file];
    const settings = { title: 'Sums', interactive_mode: true, agent_profile: 'service-1.6-max', share_visibility: 'public' };
    const { body: first } = await api.call('task.create', { ...settings, message: { content } });
    await (await WorkerHand.take(store.database, String(first.task_id))).finish('3');
    const answer = (await (await repeat(api, session, String(first.task_id))).json()) as Json;
    expect(answer).toMatchObject({ ok: true, task_title: 'Sums', share_visibility: 'private' });
    expect(answer.task_id).not.toBe(first.task_id);
    await api.call('task.delete', { task_id: first.task_id });
    const { body } = await api.call('task.listMessages', { task_id: String(answer.task_id), order: 'asc' });
    const [message = {}] = body.messages;
    expect(message).toMatchObject({ user_message: { content: 'Add them up', attachments: [{ filename: 'sales.csv' }] } });
    const [attachment] = (message.user_message as { attachments: { url: string }[] }).attachments;
    expect(await (await fetch(String(attachment?.url))).text()).toBe('a,b');
    const { body: detail } = await api.call('task.detail', { task_id: String(answer.task_id) });
    expect(detail.task).toMatchObject({ agent_profile: 'service-1.6-max', status: 'running' });
  });

  it('do not start again for anybody else, and agents keep their one conversation', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const session = await addSession(store.database, stranger.accountId);
    expect((await repeat(api, session, await api.createTask('x'))).status).toBe(404);
    expect((await repeat(api, session, 'agent-default-main_task')).status).toBe(412);
  });
});
