import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment, LocalDeployment, type Shape } from '../support/service/deployment.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { isEnd } from '../support/service/service-client.ts';

const data = (bytes: Buffer) => `data:audio/ogg;base64,${bytes.toString('base64')}`;
const ogg = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(2000)]);
const voice = { type: 'voice', filename: 'memo.ogg', file_data: data(ogg) };

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

/** The main model is the built-in one, which follows its instructions literally; here they are spoken. */
const listening = () => ({
  env: { ERRAND_MODEL: 'offline/offline-1', ERRAND_SPEECH_MODEL: 'compatible/ear', ERRAND_SPEECH_BASE_URL: model.openaiUrl },
});

describe.each<Shape>(['sqlite', 'api and two workers'])('a task that is spoken, on %s', (shape) => {
  it('is handled by its transcript, which verbose readers see, while the recording stays a file', async () => {
    await model.script([
      { match: 'speech:audio/ogg', steps: [{ text: 'write hello.md with Hello\nread attachments/memo.ogg' }] },
    ]);
    await using service = await (shape === 'sqlite'
      ? LocalDeployment.start(shape, listening())
      : Deployment.start(shape, listening()));
    const { client } = service;
    const { task_id: taskId } = await client.ask('task.create', { message: { content: [voice] } });
    await client.follow(String(taskId), isEnd);
    const { messages } = (await client.ask('task.listMessages', { task_id: taskId, verbose: true })) as {
      messages: { type: string; [payload: string]: unknown }[];
    };
    const find = (type: string) => messages.filter((event) => event.type === type).map((event) => JSON.stringify(event[type]));
    expect(find('user_message')[0]).toMatch(/"message_type":"voice".*"type":"voice".*memo\.ogg/);
    expect(find('explanation').join()).toContain('Transcript of attachments/memo.ogg: write hello.md with Hello');
    expect(find('tool_used').join()).toMatch(/hello\.md/);
    expect(find('tool_used').join()).toMatch(/memo\.ogg.*audio recording/);
    expect(find('assistant_message').join()).toContain('hello.md');
  });
});

it('without a speech model the agent is notified and continues', async () => {
  await using service = await LocalDeployment.start('sqlite', { model, env: { ERRAND_SPEECH_MODEL: 'none' } });
  await model.script([{ match: 'memo.ogg', steps: [{ text: 'I cannot hear it.' }] }]);
  const { task_id: taskId } = await service.client.ask('task.create', { message: { content: [voice] } });
  await service.client.follow(String(taskId), isEnd);
  const [call] = await model.waitFor({ state: 'closed', match: 'memo.ogg' });
  expect(JSON.stringify(call?.body)).toContain('a voice message, not transcribed: no speech model is configured');
  expect(await service.client.statusOf(String(taskId))).toBe('stopped');
});
