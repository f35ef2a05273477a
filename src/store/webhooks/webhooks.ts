import { Fault } from '@errand/base/fault.ts';
import type { ApiVersion } from '../../rules/webhooks/webhook-body.ts';
import { lockAccount, type StoreOperation, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

/** Webhooks an account may have (docs/reference/choices.md#limits). */
export const maxWebhooks = 20;

export interface Webhook {
  id: string;
  url: string;
  apiVersion: ApiVersion;
  /** An inactive one is sent nothing until it is enabled again. */
  status: 'active' | 'inactive';
  createdAtMs: number;
  /** Since when every attempt has failed; null where the last one succeeded. */
  failingSinceMs: number | null;
  /** The application whose tasks it hears of; null for one that hears of all tasks of its account. */
  oauthClientId: string | null;
}

/** `webhooks` */
export const webhookRow = tableCodec('webhooks', {
  account_id: text,
  id: text,
  url: text,
  face: oneOf<ApiVersion>(),
  status: oneOf<Webhook['status']>(),
  created_at: integer,
  failing_since: nullable(integer),
  oauth_client_id: nullable(text),
});
const { read: readWebhook, columns } = webhookRow.pick(
  'id, url, face as apiVersion, status, created_at, failing_since as failingSinceMs, oauth_client_id',
);

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
  apiVersion: ApiVersion;
  /** An application of the account's, for a webhook that hears of its tasks alone. */
  oauthClientId?: string | null;
  now: number;
}

function* checkApp(accountId: string, clientId: string): Script<void> {
  const app = 'SELECT client_id FROM oauth_apps WHERE account_id = ? AND client_id = ?';
  if (!(yield* selectFirst(app, accountId, clientId))) throw new Fault('not_found', 'application not found');
}

export const createWebhook: StoreOperation<CreateWebhookArgs, Webhook> = {
  name: 'webhooks.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId, url, apiVersion, oauthClientId = null, now }) {
    // With its row locked, webhooks of an account are made one after another and cannot pass the limit together.
    yield* lockAccount(accountId);
    checkWebhookCount((yield* selectAll('SELECT id FROM webhooks WHERE account_id = ?', accountId)).length);
    if (oauthClientId !== null) yield* checkApp(accountId, oauthClientId);
    yield [
      sql(
        `INSERT INTO webhooks (account_id, id, url, face, status, created_at, oauth_client_id) VALUES (?, ?, ?, ?, 'active', ?, ?)`,
        accountId,
        webhookId,
        url,
        apiVersion,
        now,
        oauthClientId,
      ),
    ];
    return { id: webhookId, url, apiVersion, status: 'active', createdAtMs: now, failingSinceMs: null, oauthClientId };
  },
};

/** The account's webhooks, oldest first. */
export const listWebhooks: StoreOperation<string, Webhook[]> = {
  name: 'webhooks.list',
  access: 'read',
  *run(accountId) {
    return (yield* selectAll(`SELECT ${columns} FROM webhooks WHERE account_id = ? ORDER BY id`, accountId)).map(readWebhook);
  },
};

/**
 * Removes a webhook, so that nothing more is queued for it. What was still to be sent to it is removed piece by piece by whoever
 * claims deliveries next (`claimDeliveries`), because it may be a great deal.
 */
export const deleteWebhook: StoreOperation<WebhookKey, null> = {
  name: 'webhooks.delete',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId }) {
    const statement = 'DELETE FROM webhooks WHERE account_id = ? AND id = ? RETURNING id';
    if (!(yield* selectFirst(statement, accountId, webhookId))) throw webhookNotFound();
    return null;
  },
  announce: () => [{ topic: 'deliveries' }],
};

/** Makes an inactive webhook active again, as if it had never failed. */
export const enableWebhook: StoreOperation<WebhookKey, Webhook> = {
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
