import { expect, it } from 'vitest';
import { foldAll } from '../../src/rules/tasks/task-state.ts';
import { readLog } from '../../src/store/events/events.ts';
import { addSession, type TestSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

async function branch(api: ApiUnderTest, session: TestSession, input: Json): Promise<Json> {
  const headers = { ...session.headers, 'content-type': 'application/json' };
  const request = { method: 'POST', body: JSON.stringify(input) };
  const response = await api.fetch('/web/task.repeat', request, { key: null, headers });
  return { status: response.status, ...((await response.json()) as Json) };
}

/** What is said in a task, in order, each with its event. */
async function readTalk(api: ApiUnderTest, taskId: unknown): Promise<{ id: string; text: string; files: string[] }[]> {
  const { body } = await api.call('task.listMessages', { task_id: String(taskId), order: 'asc' });
  return body.messages.flatMap((event: Json) => {
    const said = (event.user_message ?? event.assistant_message) as { content: string; attachments: Json[] } | undefined;
    return said
      ? [{ id: String(event.id), text: said.content, files: said.attachments.map(({ filename }) => String(filename)) }]
      : [];
  });
}

const wordsOf = (talk: { text: string }[]) => talk.map(({ text }) => text);

/** The state in which a worker finds a task. */
async function foldTask(api: ApiUnderTest, taskId: unknown) {
  const args = { accountId: api.owner.accountId, taskId: String(taskId), afterSeq: 0, limit: 5_000 };
  return foldAll(await api.database.run(readLog, args));
}

/** Two turns; in the first, a page of a stranger is read, and a question is asked. */
async function talkAbout(api: ApiUnderTest): Promise<string> {
  const file = { type: 'file', filename: 'sales.csv', file_data: `data:text/csv;base64,${btoa('a,b')}` };
  const content = [{ type: 'text', text: 'Add them up' }, file];
  const { body } = await api.call('task.create', { message: { content }, interactive_mode: true, title: 'Sums' });
  const taskId = String(body.task_id);
  const first = await WorkerHand.take(api.database, taskId);
  const call = { callId: 'c1', tool: 'fetch_url', status: 'success', output: 'page', brief: '', action: '', param: '' } as const;
  await first.log({ type: 'tool_finished', ...call, taints: ['untrusted'] });
  await first.ask('In euros?');
  await api.call('task.sendMessage', { task_id: taskId, message: { content: 'Yes' } });
  await (await WorkerHand.take(api.database, taskId)).finish('3 euros');
  await api.call('task.sendMessage', { task_id: taskId, message: { content: 'And in pounds?' } });
  await (await WorkerHand.take(api.database, taskId)).finish('4 pounds');
  return taskId;
}

describeStores('a branch of a task', (store) => {
  it('begins with the conversation before a message, in other words if they are given, and leaves the task as it is', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const taskId = await talkAbout(api);
    const talk = await readTalk(api, taskId);
    expect(wordsOf(talk)).toEqual(['Add them up', 'In euros?', 'Yes', '3 euros', 'And in pounds?', '4 pounds']);
    const edited = await branch(api, session, { task_id: taskId, event_id: talk[4]?.id, text: 'And in yen?' });
    expect(edited).toMatchObject({ status: 200, task_title: 'Sums', share_visibility: 'private' });
    const copy = await readTalk(api, edited.task_id);
    expect(wordsOf(copy)).toEqual(['Add them up', 'In euros?', 'Yes', '3 euros', 'And in yen?']);
    expect(copy[0]?.files).toEqual(['sales.csv']);
    expect(await readTalk(api, taskId)).toEqual(talk);
    const { transcript, status, trust } = await foldTask(api, edited.task_id);
    expect(status).toBe('running');
    expect(transcript.map((entry) => (entry.role === 'assistant' ? entry.parts : entry.role))).toEqual([
      'user',
      [{ type: 'text', text: 'In euros?' }],
      'user',
      [{ type: 'text', text: '3 euros' }],
      'user',
    ]);
    // What the agent says may come from the page that it has read.
    expect(trust).toMatchObject({ isUntrusted: true, hasFiles: true });
    await (await WorkerHand.take(store.database, String(edited.task_id))).finish('500 yen');
    expect(wordsOf(await readTalk(api, edited.task_id)).at(-1)).toBe('500 yen');
    const { body: detail } = await api.call('task.detail', { task_id: String(edited.task_id) });
    expect(detail.task).toMatchObject({ credit_usage: 1, status: 'stopped' });
  });

  it('after a message of the agent waits for the next message', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const taskId = await talkAbout(api);
    const talk = await readTalk(api, taskId);
    const { task_id: branched } = await branch(api, session, { task_id: taskId, event_id: talk[3]?.id });
    expect(wordsOf(await readTalk(api, branched))).toEqual(['Add them up', 'In euros?', 'Yes', '3 euros']);
    expect((await foldTask(api, branched)).status).toBe('stopped');
    await api.call('task.sendMessage', { task_id: String(branched), message: { content: 'In francs?' } });
    await (await WorkerHand.take(store.database, String(branched))).finish('5 francs');
    expect(wordsOf(await readTalk(api, branched)).slice(-2)).toEqual(['In francs?', '5 francs']);
  });

  it('names what it cannot begin with', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const taskId = await talkAbout(api);
    const talk = await readTalk(api, taskId);
    const other = await readTalk(api, await talkAbout(api));
    const { body } = await api.call('task.listMessages', { task_id: taskId, order: 'asc' });
    const status = body.messages.find(({ type }: Json) => type === 'status_update');
    const wrong: [Json, string][] = [
      [{ event_id: other[0]?.id }, 'event_id'],
      [{ event_id: 'nothing' }, 'event_id'],
      [{ event_id: status?.id }, 'event_id'],
      [{ event_id: talk[1]?.id, text: 'No' }, 'text'],
      [{ event_id: talk[2]?.id, text: ' ' }, 'text'],
      [{ text: 'x'.repeat(200_001) }, 'text'],
    ];
    for (const [input, param] of wrong) {
      const answer = await branch(api, session, { task_id: taskId, ...input });
      expect([input, answer.status, answer.error]).toMatchObject([input, 400, { param }]);
    }
  });

  it('has the files that the agent had delivered, and keeps them when the first task is gone', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const session = await addSession(store.database, api.owner.accountId);
    const taskId = await talkAbout(api);
    const stored = (await foldTask(api, taskId)).attachments[0];
    if (!stored) throw new Error('no file');
    const { path: _path, ...attachment } = { ...stored, filename: 'sums.csv' };
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'As a file' } });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.log({ type: 'assistant_message', text: 'Here', attachments: [attachment] }, { type: 'stopped', by: 'agent' });
    const talk = await readTalk(api, taskId);
    const { task_id: branched } = await branch(api, session, { task_id: taskId, event_id: talk.at(-1)?.id });
    await api.call('task.delete', { task_id: taskId });
    expect((await readTalk(api, branched)).map(({ files }) => files)).toEqual([
      ['sales.csv'],
      [],
      [],
      [],
      [],
      [],
      ['sums.csv'],
      ['sums.csv'],
    ]);
    expect((await foldTask(api, branched)).attachments.map(({ path }) => path)).toEqual([
      'attachments/sales.csv',
      'attachments/sums.csv',
    ]);
  });
});
