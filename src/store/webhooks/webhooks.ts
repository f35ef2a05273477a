import { Fault } from '@errand/base/fault.ts';
import type { ApiVersion } from '../../rules/webhooks/webhook-body.ts';
import { lockAccount, type StoreOperation, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

/** Maximum number of webhooks per account (docs/reference/choices.md#limits). */
export const maxWebhooks = 20;

export interface Webhook {
  id: string;
  url: string;
  apiVersion: ApiVersion;
  /** An inactive webhook is sent nothing until it is enabled again. */
  status: 'active' | 'inactive';
  createdAtMs: number;
  /** Since when every attempt has failed; null if the last one succeeded. */
  failingSinceMs: number | null;
  /** The application whose tasks it reports; null if it reports all tasks of its account. */
  oauthClientId: string | null;
}

/** `webhooks` */
export const webhookRow = tableCodec('webhooks', {
  account_id: text,
  id: text,
  url: text,
  face: oneOf<ApiVersion>(),
  /** `listening` for listeners (`listeners.ts`): of the operations on webhooks, only `deleteWebhook` reaches them. */
  status: oneOf<Webhook['status']>(),
  created_at: integer,
  failing_since: nullable(integer),
  oauth_client_id: nullable(text),
  secret: nullable(text),
  previous_secret: nullable(text),
  previous_secret_until: nullable(integer),
});
const { read: readWebhook, columns } = webhookRow.pick(
  'id, url, face as apiVersion, status, created_at, failing_since as failingSinceMs, oauth_client_id',
);

/** SQL condition that leaves out listeners. */
export const isSent = "status <> 'listening'";

/** A webhook with its new secret. */
export interface SecretWebhook extends Webhook {
  sealedSecret: string;
}

export function webhookNotFound(): Fault {
  return new Fault('not_found', 'webhook not found');
}

/** Throws if an account has reached the maximum number of webhooks. */
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
  /** An application of the account, for a webhook that reports only its tasks. */
  oauthClientId?: string | null;
  sealedSecret: string;
  now: number;
}

/** A v1 client that registers a URL again would receive every event twice; v2 leaves that to the client. */
function* checkUnregistered({ accountId, url, apiVersion }: CreateWebhookArgs): Script<void> {
  if (apiVersion !== 'v1') return;
  const same = `SELECT id FROM webhooks WHERE account_id = ? AND face = 'v1' AND url = ?`;
  const row = yield* selectFirst(same, accountId, url);
  if (!row) return;
  const problem = `already registered as ${webhookRow.id(row)}; delete that webhook first`;
  throw new Fault('conflict', `url: ${problem}`, { isAlreadyThere: true });
}

function* checkApp(accountId: string, clientId: string): Script<void> {
  const app = 'SELECT client_id FROM oauth_apps WHERE account_id = ? AND client_id = ?';
  if (!(yield* selectFirst(app, accountId, clientId))) throw new Fault('not_found', 'application not found');
}

export const createWebhook: StoreOperation<CreateWebhookArgs, SecretWebhook> = {
  name: 'webhooks.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    const { accountId, webhookId, url, apiVersion, oauthClientId = null, sealedSecret, now } = args;
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    yield* lockAccount(accountId);
    checkWebhookCount((yield* selectAll(`SELECT id FROM webhooks WHERE account_id = ? AND ${isSent}`, accountId)).length);
    yield* checkUnregistered(args);
    if (oauthClientId !== null) yield* checkApp(accountId, oauthClientId);
    yield [
      sql(
        `INSERT INTO webhooks (account_id, id, url, face, status, created_at, oauth_client_id, secret)
         VALUES (?, ?, ?, ?, 'active', ?, ?, ?)`,
        accountId,
        webhookId,
        url,
        apiVersion,
        now,
        oauthClientId,
        sealedSecret,
      ),
    ];
    const created = { id: webhookId, url, apiVersion, status: 'active', createdAtMs: now, failingSinceMs: null } as const;
    return { ...created, oauthClientId, sealedSecret };
  },
};

/** The account's webhooks, oldest first. */
export const listWebhooks: StoreOperation<string, Webhook[]> = {
  name: 'webhooks.list',
  access: 'read',
  *run(accountId) {
    const statement = `SELECT ${columns} FROM webhooks WHERE account_id = ? AND ${isSent} ORDER BY id`;
    return (yield* selectAll(statement, accountId)).map(readWebhook);
  },
};

/** A webhook with what signs its requests. */
export interface SignedWebhook extends Pick<Webhook, 'id' | 'url'> {
  /** The valid secrets, newest first. */
  sealedSecrets: string[];
}

/** The account's webhooks with their secrets, oldest first. */
export const listSignedWebhooks: StoreOperation<string, SignedWebhook[]> = {
  name: 'webhooks.listSigned',
  access: 'read',
  *run(accountId) {
    const rows = yield* selectAll(
      `SELECT id, url, secret, CASE WHEN previous_secret_until > errand_now() THEN previous_secret END AS previous_secret
       FROM webhooks WHERE account_id = ? AND ${isSent} ORDER BY id`,
      accountId,
    );
    return rows.map((row) => {
      const secrets = [webhookRow.secret(row), webhookRow.previous_secret(row)];
      return { id: webhookRow.id(row), url: webhookRow.url(row), sealedSecrets: secrets.filter((secret) => secret !== null) };
    });
  },
};

/**
 * Deletes a webhook, so that nothing more is queued for it. Its pending deliveries are deleted in batches by later claims
 * (`claimDeliveries`), because there may be many.
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

/** Reactivates a webhook, as if it had never failed. */
export const enableWebhook: StoreOperation<WebhookKey, Webhook> = {
  name: 'webhooks.enable',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId }) {
    const enabled = yield* selectFirst(
      `UPDATE webhooks SET status = 'active', failing_since = NULL
       WHERE account_id = ? AND id = ? AND ${isSent} RETURNING ${columns}`,
      accountId,
      webhookId,
    );
    if (!enabled) throw webhookNotFound();
    return readWebhook(enabled);
  },
};

/** How long the secret before the newest stays valid (docs/reference/choices.md#webhook-signatures). */
const overlapMs = 7 * 24 * 60 * 60 * 1000;

/** Replaces the secret of a webhook. The one before it stays valid for a week, the one before that ends now. */
export const rotateWebhookSecret: StoreOperation<WebhookKey & { sealedSecret: string }, SecretWebhook> = {
  name: 'webhooks.rotateSecret',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId, sealedSecret }) {
    const rotated = yield* selectFirst(
      `UPDATE webhooks SET previous_secret = secret, previous_secret_until = errand_now() + ?, secret = ?
       WHERE account_id = ? AND id = ? AND ${isSent} RETURNING ${columns}`,
      overlapMs,
      sealedSecret,
      accountId,
      webhookId,
    );
    if (!rotated) throw webhookNotFound();
    return { ...readWebhook(rotated), sealedSecret };
  },
};
