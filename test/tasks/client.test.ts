import { describe, expect, it } from 'vitest';
import { createErrand, ErrandError, type TaskEvent } from '../../packages/client/src/index.ts';
import { LocalService } from '../support/service/local-service.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

describe('the client against a real service', () => {
  it('creates a task, follows it to its end and reads its result', async () => {
    await using service = await LocalService.start();
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const { task_id } = await errand.task.create({ message: { content: 'say hello' } });
    const outcome = await errand.waitForTask(task_id);
    expect(outcome).toMatchObject({ taskId: task_id, status: 'stopped', structuredOutput: null });
    expect(outcome.message).toContain('hello');
    const { task } = await errand.task.detail({ task_id });
    expect(task.status).toBe('stopped');
  });

  it('reports the end of the requested turn, not of an earlier one', async () => {
    await using service = await LocalService.start();
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const { task_id } = await errand.task.create({ message: { content: 'ask which colour?' }, interactive_mode: true });
    expect(await errand.waitForTask(task_id)).toMatchObject({ status: 'waiting', message: 'which colour?' });
    await errand.task.sendMessage({ task_id, message: { content: 'say blue' } });
    expect(await errand.waitForTask(task_id)).toMatchObject({ status: 'stopped' });
    await errand.task.sendMessage({ task_id, message: { content: 'say green' } });
    expect((await errand.waitForTask(task_id)).message).toContain('green');
  });

  it('delivers every event once and in order although the service is killed in mid-stream', async () => {
    await using service = await ServiceProcess.start();
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const { task_id } = await errand.task.create({ message: { content: 'ask first?' }, interactive_mode: true });
    await errand.waitForTask(task_id);
    const events: TaskEvent[] = [];
    let reconnects = 0;
    const leave = new AbortController();
    const onReconnect = () => {
      reconnects += 1;
    };
    for await (const item of errand.streamTask(task_id, { verbose: true, signal: leave.signal, onReconnect })) {
      if (item.kind !== 'event') continue;
      events.push(item.event);
      const waited = events.filter(({ type }) => type === 'status_update').length;
      if (reconnects === 0 && waited === 2) {
        await service.restart();
        await errand.task.sendMessage({ task_id, message: { content: 'say done' } });
      }
      if (item.event.type === 'status_update' && item.event.status_update.agent_status === 'stopped') break;
    }
    const { messages } = await errand.task.listMessages({ task_id, order: 'asc', verbose: true, limit: 200 });
    expect(events.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(reconnects).toBeGreaterThan(0);
  });

  it('uploads a file that a message can reference', async () => {
    await using service = await LocalService.start();
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const file = await errand.uploadFile('numbers.csv', 'a,b\n1,2\n');
    expect(file).toMatchObject({ filename: 'numbers.csv', status: 'uploaded', bytes: 8 });
    await errand.file.delete({ file_id: file.id });
    expect((await errand.file.detail({ file_id: file.id })).file.status).toBe('deleted');
  });

  it("throws the service's errors with their code", async () => {
    await using service = await LocalService.start();
    const errand = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const missing = errand.task.detail({ task_id: 'x'.repeat(22) });
    await expect(missing).rejects.toThrow(ErrandError);
    await expect(missing).rejects.toMatchObject({ code: 'not_found', status: 404 });
    const stream = errand.streamTask('x'.repeat(22));
    await expect(stream.next()).rejects.toMatchObject({ code: 'not_found' });
    await expect(errand.waitForTask('x'.repeat(22))).rejects.toMatchObject({ code: 'not_found' });
  });
});
