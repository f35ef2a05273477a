import { describe, expect, it } from 'vitest';
import { startModelServer } from '../support/models/model-server.ts';
import { LocalDeployment } from '../support/service/deployment.ts';
import { isEnd } from '../support/service/service-client.ts';

describe.each(['sqlite', 'postgres'] as const)('a task whose model repeats one wrong call, on %s', (kind) => {
  it('ends with an error that says so, and a message from its user lets it continue', async () => {
    const model = await startModelServer();
    await using deployment = await LocalDeployment.start(kind, {
      env: {
        ERRAND_MODEL: 'compatible/mock',
        ERRAND_MODEL_BASE_URL: model.openaiUrl,
        ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      },
    });
    const { client } = deployment;
    const wrong = { calls: [{ tool: 'ask_user', input: { unknown: true } }] };
    await model.script([
      { match: 'Go on', steps: [{ text: 'Done.' }] },
      { repeatsLast: true, steps: [wrong] },
    ]);
    const created = await client.ask('task.create', { message: { content: 'Ask me.' }, interactive_mode: true });
    const taskId = String(created.task_id);
    const events = await client.follow(taskId, isEnd);
    expect(events.flatMap(({ error_message: error }) => (error === undefined ? [] : [error]))).toMatchObject([
      { content: expect.stringContaining('12 steps in a row that only repeat earlier calls') as string },
    ]);
    expect(await client.statusOf(taskId)).toBe('error');
    // Four wrong calls, twelve that are refused, and one step to answer in.
    expect((await model.calls()).filter(({ path }) => path.includes('chat'))).toHaveLength(17);
    await client.ask('task.sendMessage', { task_id: taskId, message: { content: 'Go on' } });
    await client.follow(taskId, (event) => JSON.stringify(event).includes('Done.'));
    await model.stop();
  });
});
