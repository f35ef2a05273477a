import { expect, it } from 'vitest';
import { Receiver } from '../support/webhooks/receiver.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const taskCount = 10;

async function call(service: ServiceProcess, name: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'x-service-api-key': service.apiKey, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/v2/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  return answer;
}

it('a service that is killed while delivering loses no event, and resends each unchanged', async () => {
  await using receiver = await Receiver.start();
  await using service = await ServiceProcess.start({
    env: { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' },
  });
  await call(service, 'webhook.create', { url: receiver.url('/hook') });
  // Takes messages and keeps their senders waiting.
  receiver.answer('/hook', () => undefined);
  const created = await Promise.all(
    Array.from({ length: taskCount }, (_, index) =>
      call(service, 'task.create', { message: { content: `say number ${index}` } }),
    ),
  );
  await receiver.until(() => receiver.eventsAt('/hook').length >= 4);
  await service.kill();
  const unanswered = new Set(receiver.eventsAt('/hook').map(({ event }) => event.event_id));
  receiver.answer('/hook', 204);
  await service.restart();
  const idsOf = (type: string) =>
    new Set(receiver.eventsAt('/hook').flatMap(({ event }) => (event.event_type === type ? [event.event_id] : [])));
  await receiver.until(() => idsOf('task_created').size === taskCount && idsOf('task_stopped').size === taskCount);
  const taskIds = created.map(({ task_id: taskId }) => String(taskId));
  expect([...idsOf('task_created')].toSorted()).toEqual(taskIds.map((taskId) => `task_created_${taskId}`).toSorted());
  const groupById = () => Map.groupBy(receiver.eventsAt('/hook'), ({ event }) => event.event_id);
  await receiver.until(() => [...unanswered].every((id) => (groupById().get(id)?.length ?? 0) > 1));
  const byId = groupById();
  for (const messages of byId.values()) expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
  const urls = receiver.eventsAt('/hook').map(({ event }) => (event.task_detail as { task_url: string }).task_url);
  for (const url of urls) expect(url).toMatch(/^http:\/\/localhost:\d+\/app\/[0-9A-Za-z]{22}$/);
});
