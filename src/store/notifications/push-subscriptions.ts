import { Fault } from '@errand/base/fault.ts';
import { usualSettings } from '../../rules/notifications/notification-settings.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { countRow } from '../db/shared-rows.ts';
import {
  insertRow,
  lockAccount,
  type Script,
  selectAll,
  selectFirst,
  selectOne,
  sql,
  type Statement,
  type StoreOperation,
} from '../db/store-operation.ts';

/** Browsers of an account that can be notified at once. */
const maxSubscriptions = 20;

/** `push_subscriptions` */
export const subscriptionRow = tableCodec('push_subscriptions', { account_id: text, id: text, session_id: text, target: text });

export interface SubscribeArgs {
  accountId: string;
  sessionId: string;
  id: string;
  /** Digest of the endpoint, which belongs to one browser. */
  endpointDigest: string;
  /** Endpoint and keys, sealed. */
  target: string;
  now: number;
}

/** Subscriptions whose session is over, by sign-out or with time. */
function* deleteEnded(accountId: string, now: number): Script<void> {
  yield [
    sql(
      `DELETE FROM push_subscriptions WHERE account_id = ? AND NOT EXISTS (SELECT 1 FROM sessions s
       WHERE s.account_id = push_subscriptions.account_id AND s.id = push_subscriptions.session_id AND s.expires_at > ?)`,
      ...[accountId, now],
    ),
  ];
}

/** Notifies the browser of this session from now on; replaces what it, or somebody before in the same browser, has subscribed. */
export const subscribeBrowser: StoreOperation<SubscribeArgs, null> = {
  name: 'notifications.subscribe',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId, id, endpointDigest, target, now }) {
    yield* lockAccount(accountId);
    yield* deleteEnded(accountId, now);
    yield [
      sql('DELETE FROM push_subscriptions WHERE account_id = ? AND session_id = ?', accountId, sessionId),
      sql('DELETE FROM push_subscriptions WHERE endpoint_digest = ?', endpointDigest),
    ];
    const held = yield* selectOne('SELECT COUNT(*) AS count FROM push_subscriptions WHERE account_id = ?', accountId);
    if (countRow.count(held) >= maxSubscriptions) {
      throw new Fault(
        'resource_exhausted',
        `${maxSubscriptions} browsers of an account can be notified; sign out of one that is no longer used.`,
      );
    }
    yield [
      insertRow('push_subscriptions', {
        ...{ account_id: accountId, id, session_id: sessionId, endpoint_digest: endpointDigest, target, created_at: now },
      }),
      sql(
        `INSERT INTO notification_settings (account_id, settings, reported_until) VALUES (?, ?, ?) ON CONFLICT (account_id) DO NOTHING`,
        ...[accountId, JSON.stringify(usualSettings), now],
      ),
    ];
    return null;
  },
};

/** What ends together with a session. */
export function deleteSubscriptionsOf(accountId: string, sessionId: string): Statement {
  return sql('DELETE FROM push_subscriptions WHERE account_id = ? AND session_id = ?', accountId, sessionId);
}

/** Deletes the subscriptions of all sessions of an account except one. */
export function deleteOtherSubscriptions(accountId: string, sessionId: string): Statement {
  return sql('DELETE FROM push_subscriptions WHERE account_id = ? AND session_id <> ?', accountId, sessionId);
}

/** Notifies the browser of this session no longer; returns whether it was notified before. */
export const unsubscribeBrowser: StoreOperation<{ accountId: string; sessionId: string }, boolean> = {
  name: 'notifications.unsubscribe',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, sessionId }) {
    const gone = yield* selectAll(
      'DELETE FROM push_subscriptions WHERE account_id = ? AND session_id = ? RETURNING id',
      accountId,
      sessionId,
    );
    return gone.length > 0;
  },
};

/** Ends a subscription that its push service no longer knows. */
export const endSubscription: StoreOperation<{ accountId: string; id: string }, null> = {
  name: 'notifications.endSubscription',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, id }) {
    yield [sql('DELETE FROM push_subscriptions WHERE account_id = ? AND id = ?', accountId, id)];
    return null;
  },
};

/** How many browsers of the account are notified, and whether that of the session is one of them. */
export const countSubscriptions: StoreOperation<
  { accountId: string; sessionId: string | null; now: number },
  { count: number; isHere: boolean }
> = {
  name: 'notifications.countSubscriptions',
  access: 'read',
  *run({ accountId, sessionId, now }) {
    const rows = yield* selectAll(
      `SELECT p.session_id FROM push_subscriptions p JOIN sessions s ON s.account_id = p.account_id AND s.id = p.session_id
       WHERE p.account_id = ? AND s.expires_at > ?`,
      accountId,
      now,
    );
    return { count: rows.length, isHere: rows.some((row) => subscriptionRow.session_id(row) === sessionId) };
  },
};

/** Endpoint and keys of a subscription, sealed; null if it has ended, or its session has. */
export const findSubscription: StoreOperation<{ accountId: string; id: string; now: number }, { target: string } | null> = {
  name: 'notifications.findSubscription',
  access: 'read',
  *run({ accountId, id, now }) {
    const row = yield* selectFirst(
      `SELECT p.target FROM push_subscriptions p JOIN sessions s ON s.account_id = p.account_id AND s.id = p.session_id
       WHERE p.account_id = ? AND p.id = ? AND s.expires_at > ?`,
      ...[accountId, id, now],
    );
    return row ? { target: subscriptionRow.target(row) } : null;
  },
};
