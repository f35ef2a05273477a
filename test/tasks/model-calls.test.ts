import { expect, it } from 'vitest';
import { addSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const calls = [
  { input: 1_200, output: 34, cached: 1_000, cost: 2_500_000 },
  { input: 2_000, output: 5, cached: 0, cost: 1_000 },
];

/** A task with two model calls, each followed by a step. */
async function runTask(api: ApiUnderTest): Promise<string> {
  const taskId = await api.createTask('x');
  const hand = await WorkerHand.take(api.database, taskId);
  for (const [index, { cost, ...usage }] of calls.entries()) {
    const step = index + 1;
    await hand.log(
      { type: 'model_started', step, attempt: 1, model: 'test/one', estimatedInput: 1 },
      { type: 'model_finished', step, parts: [{ type: 'text', text: 'words' }], usage, cost },
      { type: 'assistant_message', text: `message ${step}` },
    );
  }
  await hand.log({ type: 'stopped', by: 'agent' });
  return taskId;
}

describeStores('the model calls of a task', (store) => {
  it('tell which call of a tool runs, with the whole command, and which one a step is', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { headers } = await addSession(store.database, api.owner.accountId);
    const stranger = await addSession(store.database, (await addOwner(store.database)).accountId);
    const find = async (input: Record<string, string>, as = headers): Promise<Json> => {
      const path = `/web/task.modelCall?${new URLSearchParams(input).toString()}`;
      return (await (await api.fetch(path, {}, { key: null, headers: as })).json()) as Json;
    };
    const taskId = await api.createTask('x');
    const hand = await WorkerHand.take(api.database, taskId);
    const command = `echo ${'x'.repeat(300)}\necho two`;
    const shell = (id: string, input: object) => ({ type: 'call' as const, id, tool: 'run_shell', input });
    await hand.log(
      { type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 },
      {
        type: 'model_finished',
        step: 1,
        parts: [shell('first', { command: 'true' }), shell('second', { command })],
        usage: { input: 1, output: 1, cached: 0 },
      },
      { type: 'explained', text: 'I run two commands.' },
    );
    const first = { action_id: 'first', tool: 'run_shell', input: 'true' };
    const second = { action_id: 'second', tool: 'run_shell', input: command };
    expect(await find({ task_id: taskId })).toMatchObject({ tool_call: first });
    const outcome = { tool: 'run_shell', status: 'success' as const, output: '', brief: '', action: '', param: 'true' };
    await hand.log(
      { type: 'tool_started', callId: 'first', tool: 'run_shell', attempt: 1 },
      { type: 'tool_finished', callId: 'first', ...outcome },
      { type: 'tool_started', callId: 'second', tool: 'run_shell', attempt: 1 },
    );
    expect(await find({ task_id: taskId })).toMatchObject({ tool_call: second });
    expect(await find({ task_id: taskId }, stranger.headers)).not.toHaveProperty('tool_call');
    const { body } = await api.call('task.listMessages', { task_id: taskId, verbose: true });
    const idOf = (type: string) => String(body.messages.find((event: Json) => event.type === type)?.id);
    expect(await find({ task_id: taskId, event_id: idOf('tool_used') })).toMatchObject({ tool_call: first });
    expect(await find({ task_id: taskId, event_id: idOf('explanation') })).toMatchObject({ tool_call: null });
    await hand.log({ type: 'stopped', by: 'agent' });
    expect(await find({ task_id: taskId })).toMatchObject({ tool_call: null });
  });

  it('are found by the steps that they led to, with their tokens and cost', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { headers } = await addSession(store.database, api.owner.accountId);
    const find = async (input: Record<string, string>, as = headers): Promise<Json> => {
      const response = await api.fetch(
        `/web/task.modelCall?${new URLSearchParams(input).toString()}`,
        {},
        { key: null, headers: as },
      );
      return { status: response.status, ...((await response.json()) as Json) };
    };
    const taskId = await runTask(api);
    const { body } = await api.call('task.listMessages', { task_id: taskId, order: 'asc' });
    const idOf = (type: string, at = 0) => String(body.messages.filter((event: Json) => event.type === type).at(at)?.id);
    expect(await find({ task_id: taskId, event_id: idOf('assistant_message') })).toMatchObject({
      model_call: {
        model: 'test/one',
        input_tokens: 1_200,
        cached_tokens: 1_000,
        output_tokens: 34,
        credits: 2.5,
        duration_ms: 1,
      },
    });
    const second = { model_call: { input_tokens: 2_000, output_tokens: 5, credits: 0.001 } };
    expect(await find({ task_id: taskId, event_id: idOf('assistant_message', 1) })).toMatchObject(second);
    expect(await find({ task_id: taskId })).toMatchObject(second);
    // Nothing was called before the first message.
    expect(await find({ task_id: taskId, event_id: idOf('user_message') })).toMatchObject({ status: 200, model_call: null });
    expect(await find({ task_id: taskId, event_id: 'none' })).toMatchObject({ status: 400, error: { param: 'event_id' } });
    const stranger = await addSession(store.database, (await addOwner(store.database)).accountId);
    expect((await find({ task_id: taskId }, stranger.headers)).status).toBe(404);
  });
});
