import { newId } from '@errand/base/ids.ts';
import { unbrokenFailureMs } from '../../../src/rules/webhooks/retry-schedule.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { type ClaimDeliveriesArgs, type ClaimedDelivery, claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts';
import { type Delivery, getDelivery, type ListDeliveriesArgs, listDeliveries } from '../../../src/store/webhooks/delivery-log.ts';
import { type DeliveryOutcome, recordOutcomes } from '../../../src/store/webhooks/delivery-outcomes.ts';
import { createTask } from '../../../src/store/tasks/tasks.ts';
import { type CreateWebhookArgs, createWebhook, type Webhook } from '../../../src/store/webhooks/webhooks.ts';
import { nextMs, sampleTask } from '../db/store-samples.ts';

export async function addWebhook(
  database: Database,
  accountId: string,
  changes: Partial<CreateWebhookArgs> = {},
): Promise<Webhook> {
  const now = nextMs();
  const webhookId = newId(now);
  const url = `https://hooks.example.com/${webhookId}`;
  const webhook = { accountId, webhookId, url, apiVersion: 'v2', oauthClientId: null, sealedSecret: 'sealed', now } as const;
  return database.run(createWebhook, { ...webhook, ...changes });
}

/** Creates tasks with an API key, which webhooks report; returns their IDs. */
export async function createReported(database: Database, accountId: string, count = 1): Promise<string[]> {
  const samples = Array.from({ length: count }, () => sampleTask(accountId, { apiKeyId: 'k1' }));
  for (const sample of samples) await database.run(createTask, sample);
  return samples.map(({ taskId }) => taskId);
}

export function claimSome(database: Database, changes: Partial<ClaimDeliveriesArgs> = {}) {
  const args = { workerId: 'w1', leaseMs: 60_000, slots: 100, queues: [], usualLimit: 100, afterWebhook: '', ...changes };
  return database.run(claimDeliveries, args);
}

export async function listAll(
  database: Database,
  accountId: string,
  changes: Partial<ListDeliveriesArgs> = {},
): Promise<Delivery[]> {
  return database.run(listDeliveries, { accountId, webhookId: null, status: null, beforeId: null, limit: 1000, ...changes });
}

/** Parsed bodies of all deliveries of an account, oldest first. */
export async function readBodies(database: Database, accountId: string): Promise<Record<string, unknown>[]> {
  const deliveries = (await listAll(database, accountId)).toReversed();
  const bodies = deliveries.map(({ id }) => database.run(getDelivery, { accountId, deliveryId: id }));
  return (await Promise.all(bodies)).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

/** The outcome recorded by a worker; default: delivered. */
export function record(database: Database, deliveries: readonly ClaimedDelivery[], changes: Partial<DeliveryOutcome> = {}) {
  const outcomes = deliveries.map(({ accountId, id, fence, webhookId }): DeliveryOutcome => {
    const attempt = { atMs: 1, status: 204, error: null, durationMs: 5, excerpt: '' };
    return { accountId, id, fence, webhookId, verdict: 'delivered', retryInMs: null, log: [attempt], ...changes };
  });
  return database.run(recordOutcomes, { outcomes, unbrokenFailureMs });
}
