import { Fault } from '@errand/base/fault.ts';
import type { Plan } from '../../rules/accounts/access.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { accountRow, countRow } from '../db/shared-rows.ts';
import {
  deleteRow,
  insertRow,
  lockAccount,
  type Script,
  selectAll,
  selectFirst,
  selectOne,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import {
  packSettings,
  type Trigger,
  type TriggerKey,
  triggerNotFound,
  triggerReader,
  triggerRow,
  type TriggerSettings,
} from './trigger-row.ts';
import { deleteSeenObjects } from './watched-buckets.ts';

/** Maximum number of triggers per account (docs/reference/choices.md#triggers). */
const maxTriggers = 100;

const { read: readTrigger, columns, columnsOf } = triggerReader;

/** Rejects what would exceed the number of triggers of an account; the lock makes concurrent requests count. */
function* checkCount(accountId: string): Script<void> {
  yield* lockAccount(accountId);
  const held = yield* selectOne('SELECT COUNT(*) AS count FROM triggers WHERE account_id = ?', accountId);
  if (countRow.count(held) < maxTriggers) return;
  throw new Fault('resource_exhausted', `An account can have ${maxTriggers} triggers; delete one that is no longer used.`);
}

export interface CreateTriggerArgs extends TriggerKey {
  settings: TriggerSettings;
  /** The credential that creates it. */
  apiKeyId: string | null;
  oauthClientId: string | null;
  /** The caller for the security record, in the form of `actorOf`. */
  actor?: string;
  now: number;
}

export const createTrigger: StoreOperation<CreateTriggerArgs, Trigger> = {
  name: 'triggers.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, triggerId, settings, apiKeyId, oauthClientId, actor = 'operator', now }) {
    yield* checkCount(accountId);
    const origin = { api_key_id: apiKeyId, oauth_client_id: oauthClientId, created_at: now, updated_at: now };
    const detail = { trigger_id: triggerId, name: settings.name };
    yield [
      insertRow('triggers', { account_id: accountId, id: triggerId, ...packSettings(settings, now), ...origin }),
      noteSecurityEvent({ accountId, atMs: now, kind: 'trigger_created', actor, detail }),
    ];
    const { tokenDigest: _, objectsFromMs: __, ...shown } = settings;
    return {
      accountId,
      id: triggerId,
      ...shown,
      apiKeyId,
      oauthClientId,
      taskId: null,
      watchProblem: null,
      createdAtMs: now,
      updatedAtMs: now,
    };
  },
};

export interface ListTriggersArgs {
  accountId: string;
  /** Exclusive: returns triggers older than this one. */
  beforeId: string | null;
  limit: number;
}

/** A page of an account's triggers, newest first. */
export const listTriggers: StoreOperation<ListTriggersArgs, Trigger[]> = {
  name: 'triggers.list',
  access: 'read',
  *run({ accountId, beforeId, limit }) {
    const before = beforeId === null ? [] : [beforeId];
    const where = beforeId === null ? '' : 'AND id < ?';
    const statement = `SELECT ${columns} FROM triggers WHERE account_id = ? ${where} ORDER BY id DESC LIMIT ?`;
    return (yield* selectAll(statement, accountId, ...before, limit)).map(readTrigger);
  },
};

export const getTrigger: StoreOperation<TriggerKey, Trigger> = {
  name: 'triggers.get',
  access: 'read',
  *run({ accountId, triggerId }) {
    const row = yield* selectFirst(`SELECT ${columns} FROM triggers WHERE account_id = ? AND id = ?`, accountId, triggerId);
    if (!row) throw triggerNotFound();
    return readTrigger(row);
  },
};

export interface UpdateTriggerArgs extends TriggerKey {
  /** What changes. */
  settings: Partial<TriggerSettings>;
  /**
   * The caller in the form of `actorOf`. Changes of the secret, its check, the URL, the address, the folder, or the
   * bucket go into the security record.
   */
  actor?: string;
  /** `updatedAtMs` of the trigger that the change was made from. */
  knownAtMs: number;
  now: number;
}

/** What of a change lets other senders start tasks than before. */
function listReplaced(changes: Partial<TriggerSettings>, before: Trigger): string[] {
  const { verification, sealedSecret, header, sealedToken, watched, bucket } = changes;
  const isSecretNew = sealedSecret !== undefined && sealedSecret !== before.sealedSecret;
  const isCheckNew = verification !== undefined && (verification !== before.verification || header !== before.header);
  const isPlaceNew = sealedToken !== undefined && sealedToken !== before.sealedToken;
  const place = before.type === 'email' ? 'address' : 'url';
  return [
    ...(isCheckNew ? ['verification'] : []),
    ...(isSecretNew ? ['secret'] : []),
    ...(isPlaceNew ? [place] : []),
    ...(watched ? ['folder'] : []),
    ...(bucket ? ['bucket'] : []),
  ];
}

/** Changes a trigger unless somebody else has changed it meanwhile. */
export const updateTrigger: StoreOperation<UpdateTriggerArgs, Trigger> = {
  name: 'triggers.update',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, settings, knownAtMs, actor = 'operator', now }) {
    const before = yield* getTrigger.run({ accountId, triggerId });
    const stored = packSettings(settings, now);
    const changes = Object.keys(stored).map((column) => `, ${column} = ?`);
    // A trigger that returns to one conversation later begins another.
    const forgetting = settings.conversation === 'new' ? ', task_id = NULL' : '';
    const updated = yield* selectFirst(
      `UPDATE triggers SET updated_at = ?${changes.join('')}${forgetting}
       WHERE account_id = ? AND id = ? AND updated_at = ? RETURNING ${columns}`,
      ...[Math.max(now, knownAtMs + 1), ...Object.values(stored), accountId, triggerId, knownAtMs],
    );
    if (!updated) {
      throw new Fault('conflict', 'The trigger was changed by somebody else meanwhile; read it and change it again.');
    }
    const replaced = listReplaced(settings, before);
    const trigger = readTrigger(updated);
    const detail = { trigger_id: triggerId, name: trigger.name, replaced: replaced.join(', ') };
    if (replaced.length > 0) yield [noteSecurityEvent({ accountId, atMs: now, kind: 'trigger_changed', actor, detail })];
    if (settings.objectsFromMs !== undefined) yield [deleteSeenObjects({ accountId, triggerId })];
    return trigger;
  },
};

/** Deletes a trigger with its deliveries; the tasks that it started stay. */
export const deleteTrigger: StoreOperation<TriggerKey & { actor?: string; now: number }, null> = {
  name: 'triggers.delete',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run({ accountId, triggerId, actor = 'operator', now }) {
    const gone = yield* deleteRow('name', 'triggers', { account_id: accountId, id: triggerId });
    if (!gone) throw triggerNotFound();
    const detail = { trigger_id: triggerId, name: triggerRow.name(gone) };
    yield [
      sql('DELETE FROM trigger_events WHERE account_id = ? AND trigger_id = ?', accountId, triggerId),
      deleteSeenObjects({ accountId, triggerId }),
      noteSecurityEvent({ accountId, atMs: now, kind: 'trigger_deleted', actor, detail }),
    ];
    return null;
  },
};

/** A trigger with what a start on behalf of its account needs to know of that. */
export type FoundTrigger = Trigger & { plan: Plan; accountLocale: string };

/** The trigger of this type with this token, by its digest; null if there is none, or its account is disabled. */
export const findTrigger: StoreOperation<Pick<TriggerSettings, 'type' | 'tokenDigest'>, FoundTrigger | null> = {
  name: 'triggers.find',
  access: 'read',
  *run({ type, tokenDigest }) {
    const row = yield* selectFirst(
      `SELECT ${columnsOf('t')}, a.plan, a.locale FROM triggers t JOIN accounts a ON a.account_id = t.account_id
       WHERE t.token_digest = ? AND t.type = ? AND a.status = 'active'`,
      ...[tokenDigest, type],
    );
    return row ? { ...readTrigger(row), plan: accountRow.plan(row), accountLocale: accountRow.locale(row) } : null;
  },
};
