import { Fault } from '../base/fault.ts';
import type { WebhookFace } from '../rules/webhook-body.ts';
import { type Operation, type Row, selectAll, selectFirst, sql } from './db/operation.ts';

/** Webhooks an account may have (decisions, "Limits"). */
export const maxWebhooks = 20;

export interface Webhook {
  id: string;
  url: string;
  face: WebhookFace;
  /** An inactive one is sent nothing until it is enabled again. */
  status: 'active' | 'inactive';
  createdAtMs: number;
  /** Since when every attempt has failed; null where the last one succeeded. */
  failingSinceMs: number | null;
}

const columns = 'id, url, face, status, created_at, failing_since';

function readWebhook(row: Row): Webhook {
  return {
    id: String(row.id),
    url: String(row.url),
    face: row.face as WebhookFace,
    status: row.status as Webhook['status'],
    createdAtMs: Number(row.created_at),
    failingSinceMs: row.failing_since === null ? null : Number(row.failing_since),
  };
}

export function webhookNotFound(): Fault {
  return new Fault('not_found', 'webhook not found');
}

/** Throws when an account with so many webhooks can have no other. */
export function checkWebhookCount(count: number): void {
  if (count < maxWebhooks) return;
  throw new Fault('resource_exhausted', `An account can have ${maxWebhooks} webhooks; delete one that is no longer used.`);
}

export interface WebhookKey {
  accountId: string;
  webhookId: string;
}

export interface CreateWebhookArgs extends WebhookKey {
  url: string;
  face: WebhookFace;
  now: number;
}

export const createWebhook: Operation<CreateWebhookArgs, Webhook> = {
  name: 'webhooks.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId, url, face, now }) {
    // With its row locked, webhooks of an account are made one after another and cannot pass the limit together.
    yield* selectFirst('SELECT account_id FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    checkWebhookCount((yield* selectAll('SELECT id FROM webhooks WHERE account_id = ?', accountId)).length);
    yield [
      sql(
        "INSERT INTO webhooks (account_id, id, url, face, status, created_at) VALUES (?, ?, ?, ?, 'active', ?)",
        accountId,
        webhookId,
        url,
        face,
        now,
      ),
    ];
    return { id: webhookId, url, face, status: 'active', createdAtMs: now, failingSinceMs: null };
  },
};

/** The account's webhooks, oldest first. */
export const listWebhooks: Operation<string, Webhook[]> = {
  name: 'webhooks.list',
  access: 'read',
  *run(accountId) {
    return (yield* selectAll(`SELECT ${columns} FROM webhooks WHERE account_id = ? ORDER BY id`, accountId)).map(readWebhook);
  },
};

/**
 * Removes a webhook with everything that was still to be sent to it. Deliveries are locked before their webhook and in the order
 * of their ids, as by `recordOutcomes`, so that neither waits for the other.
 */
export const deleteWebhook: Operation<WebhookKey, null> = {
  name: 'webhooks.delete',
  // Not in a group commit, where the locks of its neighbours would come between.
  access: 'alone',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId }) {
    const pending = 'FROM deliveries WHERE webhook_id = ? AND account_id = ? AND ready_at IS NOT NULL';
    const [, , deleted] = yield [
      sql(`SELECT COUNT(*) AS locked FROM (SELECT id ${pending} ORDER BY id FOR UPDATE) AS p`, webhookId, accountId),
      sql(`DELETE ${pending}`, webhookId, accountId),
      sql('DELETE FROM webhooks WHERE account_id = ? AND id = ? RETURNING id', accountId, webhookId),
    ];
    if (deleted?.length !== 1) throw webhookNotFound();
    return null;
  },
};

/** Makes an inactive webhook active again, as if it had never failed. */
export const enableWebhook: Operation<WebhookKey, Webhook> = {
  name: 'webhooks.enable',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId }) {
    const enabled = yield* selectFirst(
      `UPDATE webhooks SET status = 'active', failing_since = NULL WHERE account_id = ? AND id = ? RETURNING ${columns}`,
      accountId,
      webhookId,
    );
    if (!enabled) throw webhookNotFound();
    return readWebhook(enabled);
  },
};
