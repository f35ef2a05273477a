import { newId } from '@errand/base/ids.ts';
import type { SecurityEvent, SecurityEventKind } from '../../rules/accounts/security-event.ts';
import { deleteSome, type StoreOperation, selectAll, sql, type Statement } from '../db/store-operation.ts';
import { integer, json, oneOf, tableCodec, text } from '../db/row-codec.ts';

/** Retention of the security record. */
const retentionMs = 400 * 24 * 60 * 60 * 1000;

/**
 * Adds an entry to the security record, and a line to the log once it is durable. It is written in the transaction of the change itself, so
 * neither exists without the other.
 */
export function noteSecurityEvent(event: SecurityEvent): Statement {
  const { accountId, atMs, kind, actor, detail } = event;
  const statement = sql(
    'INSERT INTO security_events (account_id, id, at, kind, actor, detail) VALUES (?, ?, ?, ?, ?, ?)',
    accountId,
    newId(atMs, 'request'),
    atMs,
    kind,
    actor,
    JSON.stringify(detail),
  );
  return { ...statement, event };
}

/** Records an event that changes nothing else, such as a successful or failed sign-in. */
export const recordSecurityEvent: StoreOperation<SecurityEvent, null> = {
  name: 'securityEvents.record',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run(event) {
    yield [noteSecurityEvent(event)];
    return null;
  },
};

const securityEventRow = tableCodec('security_events', {
  account_id: text,
  id: text,
  at: integer,
  kind: oneOf<SecurityEventKind>(),
  actor: text,
  detail: json<Record<string, string>>(),
});

const { read: readSecurityEvent, columns } = securityEventRow.pick('account_id, id, at as atMs, kind, actor, detail');

export interface ListSecurityEventsArgs {
  accountId: string;
  /** Exclusive: returns events older than this one; null starts at the newest. */
  beforeId: string | null;
  limit: number;
}

/** A page of the account's record, newest first. */
export const listSecurityEvents: StoreOperation<ListSecurityEventsArgs, (SecurityEvent & { id: string })[]> = {
  name: 'securityEvents.list',
  access: 'read',
  *run({ accountId, beforeId, limit }) {
    const rows = yield* selectAll(
      `SELECT ${columns} FROM security_events
       WHERE account_id = ? ${beforeId === null ? '' : 'AND id < ?'} ORDER BY id DESC LIMIT ?`,
      accountId,
      ...(beforeId === null ? [] : [beforeId]),
      limit,
    );
    return rows.map(readSecurityEvent);
  },
};

/** Deletes entries older than 400 days, at most `limit` at once; returns their number. */
export const deleteExpiredSecurityEvents: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'securityEvents.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'security_events', key: 'account_id, id', where: 'at <= ?', limit };
    return yield* deleteSome(from, now - retentionMs);
  },
};
