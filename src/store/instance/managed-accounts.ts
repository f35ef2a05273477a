import { Fault } from '@errand/base/fault.ts';
import type { Plan } from '../../rules/accounts/access.ts';
import type { AccountQuotas, AccountStatus } from '../../rules/accounts/account-status.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import type { StorageUse } from '../../rules/files/storage-quota.ts';
import { containing } from '../db/like.ts';
import { computedCodec, integer } from '../db/row-codec.ts';
import { accountRow, countRow, taskRow } from '../db/shared-rows.ts';
import { selectAll, selectFirst, sql, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import { type AccountWithKeyArgs, createAccountWithKey } from '../accounts/account-with-key.ts';
import { accountNotFound } from '../accounts/accounts.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { hasTwoStepSql, twoStepRow } from '../accounts/two-step/two-step-column.ts';

const {
  read: readManaged,
  columns,
  columnsOf,
} = accountRow.pick(
  'account_id, email, plan, locale, created_at, status, max_bytes, max_files, max_running_tasks, weight, retention_days, is_instance_owner',
);

const usedRow = computedCodec('what an account stores', { used_bytes: integer, used_files: integer });

/** An account as its operator sees it. */
export type ManagedAccount = ReturnType<typeof readManaged>;

const setQuotas = 'max_bytes = ?, max_files = ?, max_running_tasks = ?, weight = ?, retention_days = ?';

/** The values of `setQuotas`. */
function quotaValues({ maxBytes, maxFiles, maxRunningTasks, weight, retentionDays }: AccountQuotas): SqlValue[] {
  return [maxBytes, maxFiles, maxRunningTasks, weight, retentionDays];
}

export interface CreateManagedArgs extends AccountWithKeyArgs {
  quotas: AccountQuotas;
  actor: string;
  /** The key sealed, so that a repeated request can be answered with it. */
  sealedKey: string;
}

/** Creates an account with a key and its quotas; 409 if the address has one. */
export const createManagedAccount: StoreOperation<CreateManagedArgs, { account: ManagedAccount; sealedKey: string }> = {
  name: 'accounts.createManaged',
  access: 'write',
  keys: ({ account }) => [account.accountId],
  *run({ account, key, quotas, actor, sealedKey }) {
    const { accountId, createdAtMs: atMs } = account;
    try {
      yield* createAccountWithKey.run({ account, key });
    } catch (error) {
      if (!(error instanceof Fault) || error.param !== 'email') throw error;
      throw new Fault('conflict', error.message, { param: 'email', isAlreadyThere: true });
    }
    const row = yield* selectFirst(
      `UPDATE accounts SET ${setQuotas} WHERE account_id = ? RETURNING ${columns}`,
      ...quotaValues(quotas),
      accountId,
    );
    if (!row) throw accountNotFound();
    const detail = { account_id: accountId, plan: account.plan };
    yield [noteSecurityEvent({ accountId: instanceRecord, atMs, kind: 'account_created', actor, detail })];
    return { account: readManaged(row), sealedKey };
  },
};

export interface ListAccountsArgs {
  status: AccountStatus | null;
  /** A part of the address or of the id. */
  query: string | null;
  afterId: string;
  limit: number;
}

/** An account with what it stores, in bytes and files. */
export interface StoringAccount extends ManagedAccount {
  used: StorageUse;
  /** Whether it asks for a second step at sign-in. */
  hasTwoStep: boolean;
}

/** A page of the accounts of the instance with what they store, oldest first. */
export const listManagedAccounts: StoreOperation<ListAccountsArgs, StoringAccount[]> = {
  name: 'accounts.listManaged',
  access: 'read',
  scans: ({ query }) => (query === null ? null : instanceRecord),
  *run({ status, query, afterId, limit }) {
    const conditions = ['a.account_id > ?'];
    const params: SqlValue[] = [afterId];
    if (status !== null) {
      conditions.push(status === 'active' ? 'status = ?' : "status = ? AND status <> 'active'");
      params.push(status);
    }
    if (query !== null) {
      conditions.push("(email LIKE ? ESCAPE '\\' OR a.account_id = ?)");
      params.push(containing(query.toLowerCase()), query);
    }
    const where = conditions.join(' AND ');
    const rows = yield* selectAll(
      `SELECT ${columnsOf('a')}, COALESCE(s.blob_bytes + s.workspace_bytes, 0) AS used_bytes,
         COALESCE(s.blobs + s.workspace_files, 0) AS used_files, ${hasTwoStepSql('a.account_id')} AS two_step
       FROM accounts a LEFT JOIN storage_use s ON s.account_id = a.account_id WHERE ${where} ORDER BY a.account_id LIMIT ?`,
      ...params,
      limit,
    );
    return rows.map((row) => ({
      ...readManaged(row),
      used: { bytes: usedRow.used_bytes(row), files: usedRow.used_files(row) },
      hasTwoStep: twoStepRow.two_step(row),
    }));
  },
};

/** An account by its id or address; null if there is none. */
export const findManagedAccount: StoreOperation<string, ManagedAccount | null> = {
  name: 'accounts.findManaged',
  access: 'read',
  *run(reference) {
    const row = yield* selectFirst(
      `SELECT ${columns} FROM accounts WHERE account_id = ? OR email = ?`,
      reference,
      reference.toLowerCase(),
    );
    return row ? readManaged(row) : null;
  },
};

/** How many tasks of an account are in each state; agents' conversations in which nothing happens are left out. */
export const countAccountTasks: StoreOperation<string, Record<string, number>> = {
  name: 'accounts.countTasks',
  access: 'read',
  scans: (accountId) => accountId,
  *run(accountId) {
    const rows = yield* selectAll(
      `SELECT status, COUNT(*) AS count FROM tasks
       WHERE account_id = ? AND (task_type <> 'agent_main' OR status <> 'stopped') GROUP BY status`,
      accountId,
    );
    return Object.fromEntries(rows.map((row) => [taskRow.status(row), countRow.count(row)]));
  },
};

export interface UpdateAccountArgs {
  accountId: string;
  /** Undefined leaves it unchanged; the same for the other fields. */
  plan: Plan | undefined;
  status: 'active' | 'disabled' | undefined;
  /** What it names is changed. */
  quotas?: Partial<AccountQuotas>;
  isInstanceOwner: boolean | undefined;
  actor: string;
  now: number;
}

function describeChanges(before: ManagedAccount, after: ManagedAccount): Record<string, string> {
  const fields = {
    ...{ plan: 'plan', maxBytes: 'max_bytes', maxFiles: 'max_files', maxRunningTasks: 'max_running_tasks', weight: 'weight' },
    ...{ retentionDays: 'retention_days', isInstanceOwner: 'instance_owner' },
  } as const;
  const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [fields[field], String(after[field] ?? 'default')]));
}

/** Changes an account on behalf of the operator. 412 for one that is being deleted. */
export const updateManagedAccount: StoreOperation<UpdateAccountArgs, ManagedAccount> = {
  name: 'accounts.updateManaged',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, plan, status, quotas = {}, isInstanceOwner, actor, now }) {
    const found = yield* selectFirst(`SELECT ${columns} FROM accounts WHERE account_id = ? FOR UPDATE`, accountId);
    if (!found) throw accountNotFound();
    const before = readManaged(found);
    if (before.status === 'deleting') throw new Fault('failed_precondition', 'This account is being deleted.');
    const after: ManagedAccount = {
      ...before,
      ...quotas,
      plan: plan ?? before.plan,
      status: status ?? before.status,
      isInstanceOwner: isInstanceOwner ?? before.isInstanceOwner,
    };
    const values = [after.plan, after.status, after.isInstanceOwner ? 1 : 0, ...quotaValues(after)];
    yield [
      sql(
        `UPDATE accounts SET plan = ?, status = ?, is_instance_owner = ?, ${setQuotas} WHERE account_id = ?`,
        ...values,
        accountId,
      ),
    ];
    const detail = describeChanges(before, after);
    const entries = [
      ...(Object.keys(detail).length > 0 ? [{ kind: 'account_changed' as const, detail }] : []),
      ...(after.status === before.status
        ? []
        : [{ kind: after.status === 'active' ? ('account_enabled' as const) : ('account_disabled' as const), detail: {} }]),
    ];
    // In the record of the account, for its owner, and in that of the instance.
    yield entries.flatMap(({ kind, detail: what }) => [
      noteSecurityEvent({ accountId, atMs: now, kind, actor, detail: what }),
      noteSecurityEvent({ accountId: instanceRecord, atMs: now, kind, actor, detail: { account_id: accountId, ...what } }),
    ]);
    return after;
  },
  announce: () => (['credentials', 'accounts', 'deliveries', 'bridges', 'due'] as const).map((topic) => ({ topic })),
};

/** Some running tasks of accounts that are disabled, which somebody has to stop. */
export const findTasksOfDisabled: StoreOperation<{ limit: number }, TaskKey[]> = {
  name: 'accounts.findTasksOfDisabled',
  access: 'read',
  *run({ limit }) {
    const rows = yield* selectAll(
      `SELECT t.account_id, t.id FROM accounts a JOIN tasks t ON t.account_id = a.account_id AND t.wake_at IS NOT NULL
       WHERE a.status = 'disabled' AND a.status <> 'active' LIMIT ?`,
      limit,
    );
    return rows.map((row) => ({ accountId: taskRow.account_id(row), taskId: taskRow.id(row) }));
  },
};
