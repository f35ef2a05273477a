import { findReports } from '../../src/rules/webhooks/webhook-report.ts';
import type { Deployment } from '../support/service/deployment.ts';
import type { ReceivedMessage, Receiver } from '../support/webhooks/receiver.ts';
import { eventually } from '../support/service/service-client.ts';
import type { StoredTask } from '../support/tasks/task-audit.ts';

const path = '/kills';

/** What a service needs that may send to a receiver of the test. */
export const receiverEnv = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' };

export async function registerReceiver({ client }: Deployment, receiver: Receiver): Promise<void> {
  await client.ask('webhook.create', { url: receiver.url(path) });
}

/** The ids that a task's log must have led to: its creation, and each time it stopped, asked or failed. */
function expectedIds({ id, log }: StoredTask): string[] {
  const reported = log.flatMap(({ event, seq }) => findReports([event], seq)).filter(({ kind }) => kind === 'stopped');
  return [`task_created_${id}`, ...reported.map(({ seq }) => `task_stopped_${id}_${seq}`)];
}

/** A repetition is the same message again. */
function auditCopies(eventId: string, copies: readonly ReceivedMessage[]): string[] {
  return new Set(copies.map(({ body }) => body)).size === 1 ? [] : [`${eventId} came with different bodies`];
}

/** Every event was delivered under one ID, and nothing else; repeated deliveries were identical. */
export async function auditWebhooks(deployment: Deployment, receiver: Receiver, tasks: readonly StoredTask[]): Promise<string[]> {
  await eventually('everything is delivered', async () => {
    const [row] = await deployment.query("SELECT count(*) AS open FROM deliveries WHERE status = 'pending'");
    return Number(row?.open) === 0 ? true : null;
  });
  const received = Map.groupBy(receiver.eventsAt(path), ({ event }) => event.event_id);
  const expected = new Set(tasks.flatMap(expectedIds));
  return [
    ...[...expected].filter((eventId) => !received.has(eventId)).map((eventId) => `${eventId} was never delivered`),
    ...[...received.keys()].filter((eventId) => !expected.has(eventId)).map((eventId) => `${eventId} reports no event`),
    ...[...received].flatMap(([eventId, copies]) => auditCopies(eventId, copies)),
  ];
}
