import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const schema = { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] };
const account = { brief: 'Running rm', action: 'Running a command', param: 'rm -r a' };

function detailOf(event: Json | undefined): Json {
  const update = event?.status_update as { status_detail: Json } | undefined;
  if (!update) throw new Error('the newest event is no status');
  return update.status_detail;
}

describeStores('task.confirmAction', (store) => {
  async function open(api: ApiUnderTest) {
    const taskId = await api.createTask('x', { interactive_mode: true });
    const hand = await WorkerHand.take(store.database, taskId);
    const usage = { input: 1, output: 1, cached: 0 };
    await hand.log(
      { type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 },
      { type: 'model_finished', step: 1, parts: [{ type: 'call', id: 'c1', tool: 'run_shell', input: {} }], usage },
    );
    await hand.log(
      { type: 'action_prepared', callId: 'c1', tool: 'run_shell', params: { command: 'rm -r a' }, ...account },
      { type: 'waiting', callId: 'c1', question: 'Running rm: rm -r a', action: { kind: 'terminalExecute', schema } },
    );
    const [status] = (await api.call('task.listMessages', { task_id: taskId })).body.messages;
    const detail = detailOf(status);
    const confirm = (input: Json, more: Json = {}, options = {}) =>
      api.call('task.confirmAction', { task_id: taskId, event_id: detail.waiting_for_event_id, input, ...more }, options);
    return { taskId, hand, detail, confirm };
  }

  it('shows the pending action and accepts a decision', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { taskId, detail, confirm } = await open(api);
    expect(detail).toMatchObject({ waiting_for_event_type: 'terminalExecute', confirm_input_schema: schema });
    const start = { task_id: taskId, verbose: true, start_event_id: detail.waiting_for_event_id, order: 'asc' };
    const [prepared] = (await api.call('task.listMessages', start)).body.messages;
    expect(prepared).toMatchObject({ type: 'tool_used', tool_used: { status: 'success', params: { command: 'rm -r a' } } });
    expect((await confirm({})).body).toMatchObject({ ok: true, task_id: taskId, confirmed: false });
    expect((await confirm({ accept: true, unknown: [] })).body).toMatchObject({ task_id: taskId, confirmed: true });
    expect((await api.call('task.detail', { task_id: taskId })).body.task.status).toBe('running');
    const again = await confirm({ accept: true });
    expect([again.status, again.body.error.code]).toEqual([400, 'invalid_argument']);
  });

  it('rejects events that are not pending, invalid inputs, and strangers', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const { taskId, confirm } = await open(api);
    const [first] = (await api.call('task.listMessages', { task_id: taskId, order: 'asc' })).body.messages;
    const other = await api.createTask();
    for (const [input, more, options, status] of [
      [{ accept: 'yes' }, {}, {}, 400],
      [{ accept: true }, { event_id: first?.id }, {}, 400],
      [{ accept: true }, { event_id: 'nonsense' }, {}, 404],
      [{ accept: true }, { task_id: other }, {}, 404],
      [{ accept: true }, {}, { key: stranger.key }, 404],
      [{ accept: true }, { event_id: undefined }, {}, 400],
    ] as const) {
      expect([more, (await confirm(input, more, options)).status]).toEqual([more, status]);
    }
    expect((await api.call('task.detail', { task_id: taskId })).body.task.status).toBe('waiting');
  });

  it('directs a caller that answers a question with it to task.sendMessage', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('x', { interactive_mode: true });
    await (await WorkerHand.take(store.database, taskId)).ask('Which?');
    const [status] = (await api.call('task.listMessages', { task_id: taskId })).body.messages;
    const detail = detailOf(status);
    const event_id = detail.waiting_for_event_id;
    const answer = await api.call('task.confirmAction', { task_id: taskId, event_id, input: { accept: true } });
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('task.sendMessage')]);
  });
});
