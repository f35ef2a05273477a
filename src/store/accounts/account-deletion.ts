/**
 * The deletion of an account, in bounded steps: each is a transaction of its own that can be repeated, so whoever is killed in the middle
 * loses nothing but time. The account's row goes last: as long as it is there, the deletion is under way.
 */
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { isBackupRunning } from '../db/backup-hold.ts';
import { containing } from '../db/like.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';
import { deleteSome, type Script, selectAll, selectFirst, sql, type StoreOperation } from '../db/store-operation.ts';
import { matesOfAccount, teamsOfAccount } from '../db/teammates.ts';
import { endHandOversTo } from '../tasks/people/assignees.ts';
import { type AccountTable, accountTables, storageTables } from './account-tables.ts';
import { accountNotFound } from './accounts.ts';
import { noteSecurityEvent } from './security-events.ts';

const deletionRow = tableCodec('account_deletions', { account_id: text });

/** How long late rows are looked for. */
const watchedMs = 24 * 60 * 60 * 1000;

/** Begins the deletion of an account: its credentials are unknown from now on. Repeating it changes nothing. */
export const beginAccountDeletion: StoreOperation<{ accountId: string; actor: string; now: number }, { accountId: string }> = {
  name: 'accounts.beginDeletion',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, actor, now }) {
    const row = yield* selectFirst('SELECT status FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    if (!row) throw accountNotFound();
    if (accountRow.status(row) === 'deleting') return { accountId };
    yield [
      sql("UPDATE accounts SET status = 'deleting' WHERE account_id = ?", accountId),
      noteSecurityEvent({
        accountId: instanceRecord,
        atMs: now,
        kind: 'account_deleted',
        actor,
        detail: { account_id: accountId },
      }),
    ];
    return { accountId };
  },
  announce: () => [{ topic: 'credentials' }, { topic: 'accounts' }, { topic: 'bridges' }],
};

/** Accounts that are being deleted, and those that were within a day, of which something may have come late. */
export const listAccountDeletions: StoreOperation<null, { pending: string[]; done: string[] }> = {
  name: 'accounts.listDeletions',
  access: 'read',
  *run() {
    const pending = yield* selectAll(
      "SELECT account_id FROM accounts WHERE status = 'deleting' AND status <> 'active' ORDER BY account_id LIMIT 100",
    );
    const done = yield* selectAll('SELECT account_id FROM account_deletions ORDER BY account_id');
    return { pending: pending.map(accountRow.account_id), done: done.map(deletionRow.account_id) };
  },
};

/** Deletes rows of these tables until `limit` of them are gone; returns the number. */
function* emptyTables(tables: readonly AccountTable[], accountId: string, limit: number): Script<number> {
  let gone = 0;
  for (const { table, key, column, weight = 1 } of tables) {
    if (gone >= limit) return gone;
    const count = Math.ceil((limit - gone) / weight);
    gone += weight * (yield* deleteSome({ table, key, where: `${column} = ?`, limit: count }, accountId));
  }
  return gone;
}

/** What others store about the account. Before its own rows, which say where that is. */
function* removeElsewhere(accountId: string): Script<void> {
  const row = yield* selectFirst('SELECT email FROM accounts WHERE account_id = ?', accountId);
  const teamOfNobodyElse = (team: string) => `${team} IN ${teamsOfAccount}
    AND NOT EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = ${team} AND m.account_id <> ?)
    AND NOT EXISTS (SELECT 1 FROM other_memberships m WHERE m.team_id = ${team} AND m.account_id <> ?)`;
  const four = [accountId, accountId, accountId, accountId];
  yield* endHandOversTo(accountId);
  yield [
    // Grants of the account's applications, whose rows are deleted next.
    sql('DELETE FROM oauth_grants WHERE client_id IN (SELECT client_id FROM oauth_apps WHERE account_id = ?)', accountId),
    sql(`DELETE FROM idempotency_keys WHERE account_id = ? AND result LIKE ? ESCAPE '\\'`, instanceRecord, containing(accountId)),
    // A team without anybody else.
    sql(`DELETE FROM team_invitations WHERE ${teamOfNobodyElse('team_invitations.team_id')}`, ...four),
    sql(`DELETE FROM policies WHERE scope = 'team' AND ${teamOfNobodyElse('policies.owner_id')}`, ...four),
    sql(`DELETE FROM teams WHERE ${teamOfNobodyElse('teams.team_id')}`, ...four),
    // What teammates have asked it to decide.
    sql(`DELETE FROM inbox_assignments WHERE assignee = ? AND account_id IN ${matesOfAccount}`, accountId, ...four),
  ];
  if (!row) return;
  const email = accountRow.email(row);
  yield [
    sql('DELETE FROM team_invitations WHERE email = ?', email),
    sql(
      `UPDATE security_events SET detail = REPLACE(detail, ?, '"a deleted account"')
       WHERE kind = 'team_invited' AND account_id IN ${matesOfAccount} AND detail LIKE ? ESCAPE '\\'`,
      JSON.stringify(email),
      ...four,
      containing(JSON.stringify(email)),
    ),
  ];
}

/**
 * `more`: there are rows left. `blobs`: only blobs are, which are due for the sweeper. `clear`: nothing but the account itself. `kept`: it is
 * not being deleted, because it was imported since.
 */
export type DeletionState = 'more' | 'blobs' | 'clear' | 'kept';

/** Whether the account is being deleted or was. Locks what says so, which lets one process delete at a time, and no import meanwhile. */
function* isDeleting(accountId: string): Script<boolean> {
  const watched = yield* selectFirst('SELECT account_id FROM account_deletions WHERE account_id = ? FOR UPDATE', accountId);
  const row = yield* selectFirst('SELECT status FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
  return row ? accountRow.status(row) === 'deleting' : watched !== undefined;
}

/** One step of a deletion: at most about `limit` rows. */
export const deleteAccountRows: StoreOperation<{ accountId: string; limit: number }, DeletionState> = {
  name: 'accounts.deleteRows',
  access: 'exclusive',
  *run({ accountId, limit }) {
    if (!(yield* isDeleting(accountId))) return 'kept';
    yield* removeElsewhere(accountId);
    if ((yield* emptyTables(accountTables, accountId, limit)) > 0) return 'more';
    const blobs = yield* selectAll('SELECT id FROM blobs WHERE account_id = ? LIMIT 1', accountId);
    if (blobs.length > 0) {
      const due = yield* selectAll(
        `UPDATE blobs SET sweep_at = errand_now() WHERE account_id = ? AND id IN
           (SELECT id FROM blobs WHERE account_id = ? AND (sweep_at IS NULL OR sweep_at > errand_now()) LIMIT ?) RETURNING id`,
        accountId,
        accountId,
        limit,
      );
      return due.length > 0 ? 'more' : 'blobs';
    }
    // A backup copies workspaces after the database; until it is done they stay, and the deletion waits.
    if ((yield* selectAll(`SELECT 1 AS found WHERE ${isBackupRunning}`)).length > 0) return 'blobs';
    return (yield* emptyTables(storageTables, accountId, limit)) > 0 ? 'more' : 'clear';
  },
};

/** Ends a deletion of which nothing is left: the account's own row goes. False if something came meanwhile. */
export const endAccountDeletion: StoreOperation<{ accountId: string }, boolean> = {
  name: 'accounts.endDeletion',
  access: 'exclusive',
  *run({ accountId }) {
    const row = yield* selectFirst('SELECT status FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    if (!row || accountRow.status(row) !== 'deleting') return false;
    if ((yield* emptyTables([...accountTables, ...storageTables], accountId, 1)) > 0) return false;
    if ((yield* selectAll('SELECT id FROM blobs WHERE account_id = ? LIMIT 1', accountId)).length > 0) return false;
    yield [
      sql('DELETE FROM accounts WHERE account_id = ?', accountId),
      sql('INSERT INTO account_deletions (account_id, deleted_at) VALUES (?, errand_now())', accountId),
    ];
    return true;
  },
};

/** Ends the watch over accounts that were deleted more than a day ago. */
export const endDeletionWatch: StoreOperation<{ limit: number }, number> = {
  name: 'accounts.endDeletionWatch',
  access: 'exclusive',
  *run({ limit }) {
    const from = { table: 'account_deletions', key: 'account_id', where: 'deleted_at < errand_now() - ?', limit };
    return yield* deleteSome(from, watchedMs);
  },
};
