import { expect, it } from 'vitest';
import { compareText } from '../../src/store/db/store-operation.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { eventually, type Json, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

const env = {
  ERRAND_FIXED_TIME: '2026-01-31T12:00:00Z',
  ERRAND_MODEL: 'offline/offline-1',
  ERRAND_RATE_LIMITS: 'off',
  ERRAND_WEBHOOK_ALLOW_HTTP: 'true',
  ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
};

/** What a program sees of a service for tests, without addresses, which are signed and have ports, and ids of requests, which are polls. */
async function play(): Promise<string> {
  await using receiver = await Receiver.start();
  await using service = await ServiceProcess.start({ env });
  const client = new ServiceClient(service);
  const seen: unknown[] = [];
  const until = async (taskId: unknown, status: string) => {
    await eventually(`a task that is ${status}`, async () => {
      const { task } = (await client.ask('task.detail', { task_id: taskId })) as { task: Json };
      return task['status'] === status ? task : null;
    });
    seen.push(await client.ask('task.detail', { task_id: taskId }));
    seen.push(await client.ask('task.listMessages', { task_id: taskId, verbose: true, order: 'asc' }));
  };
  await client.ask('webhook.create', { url: receiver.url('/hook') });
  const [first, second] = ['write report.md with Hello', 'rate-limit 1\nask Which color?'].map((content) => ({
    message: { content },
    interactive_mode: true,
  }));
  const { task_id: one } = await client.ask('task.create', first);
  await until(one, 'stopped');
  const { task_id: other } = await client.ask('task.create', second);
  await until(other, 'waiting');
  await client.ask('task.sendMessage', { task_id: other, message: { content: 'say red' } });
  await until(other, 'stopped');
  await eventually('the cover of the document', async () => {
    const { data } = (await client.ask('artifact.list')) as { data: Json[] };
    return data[0]?.['cover_image'] ?? null;
  });
  for (const list of ['task.list', 'artifact.list', 'usage.list']) seen.push(await client.ask(list));
  await eventually('all deliveries', async () => Promise.resolve(receiver.eventsAt('/hook').length >= 5 ? true : null));
  const bodies = receiver.eventsAt('/hook').map(({ body }) => body);
  return JSON.stringify([...seen, ...bodies.toSorted(compareText)], null, 1).replaceAll(/https?:[^"\\]*|req_\w+/g, 'URL');
}

it('two runs of a service whose time stands still have the same ids and times, byte for byte', async () => {
  const [once, again] = [await play(), await play()];
  expect(again).toBe(once);
  expect(once).toContain('1769860800');
  expect(once).toContain('report.md');
});

it('such a service is refused where others could reach the service, or for a folder that was used before, and says loudly that it is for tests', async () => {
  const refused = async (changes: Record<string, string>) => {
    const { code, lines } = await ServiceProcess.startRefused({ env: { ...env, ...changes } });
    return [code, lines.map(({ text }) => text).join(' ')];
  };
  for (const [changes, word] of [
    [{ ERRAND_HOST: '0.0.0.0' }, 'ERRAND_HOST=127.0.0.1'],
    [{ ERRAND_PUBLIC_URL: 'https://errand.example.com' }, 'ERRAND_PUBLIC_URL'],
    [{ ERRAND_TRUSTED_PROXIES: '127.0.0.1/32' }, 'ERRAND_TRUSTED_PROXIES'],
    [{ ERRAND_SMTP_PORT: '0', ERRAND_MAIL_DOMAIN: 'in.example.com' }, 'ERRAND_SMTP_PORT'],
    [{ ERRAND_DATABASE_URL: 'postgresql://a@localhost/b' }, 'embedded database'],
    [{ ERRAND_MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'x' }, 'offline/offline-1'],
    [{ ERRAND_FIXED_TIME: 'yesterday' }, 'UTC'],
  ] as const) {
    expect(await refused(changes)).toEqual([78, expect.stringContaining(word)]);
  }
  const dataDir = createFolder('fixed');
  {
    await using service = await ServiceProcess.start({ env, dataDir });
    expect(service.lines.some(({ text }) => text.includes('for tests only'))).toBe(true);
  }
  const { code, lines } = await ServiceProcess.startRefused({ env, dataDir });
  expect([code, lines.map(({ text }) => text).join(' ')]).toEqual([78, expect.stringContaining('empty folder')]);
});
