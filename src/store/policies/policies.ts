import { Fault } from '@errand/base/fault.ts';
import { checkMayManage } from '../../rules/accounts/team-role.ts';
import type { PolicyRule, PolicyScope } from '../../rules/policies/policy.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { lockTeam, readActor } from '../accounts/teams.ts';
import { teamOfTask } from '../db/teammates.ts';
import { integer, json, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { findRow, lockAccount, type Script, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';

const policyRow = tableCodec('policies', {
  owner_id: text,
  scope: oneOf<PolicyScope>(),
  scope_id: text,
  rules: json<PolicyRule[]>(),
  updated_at: integer,
});
const policyColumns = policyRow.pick('scope, scope_id, rules, updated_at');
export type StoredPolicy = ReturnType<typeof policyColumns.read>;

export interface SetPolicyArgs {
  accountId: string;
  scope: PolicyScope;
  scopeId: string;
  /** None removes the policy. */
  rules: readonly PolicyRule[];
  /** The caller in the form of `actorOf`. */
  actor: string;
  now: number;
}

/** Locks what the policy applies to, if the account may set it. */
function* lockScope({ accountId, scope, scopeId }: SetPolicyArgs): Script<void> {
  if (scope === 'team') {
    yield* lockTeam(scopeId);
    return checkMayManage(yield* readActor(scopeId, accountId));
  }
  yield* lockAccount(accountId);
  const isThere =
    scope === 'account' ? scopeId === accountId : yield* findRow('id', 'projects', { account_id: accountId, id: scopeId });
  if (!isThere) throw new Fault('not_found', `${scope} not found`, { param: 'id' });
}

/** Sets, replaces, or removes the policy of an account, team, or project. */
export const setPolicy: StoreOperation<SetPolicyArgs, StoredPolicy | null> = {
  name: 'policies.set',
  access: 'write',
  keys: ({ accountId, scopeId }) => [accountId, scopeId],
  *run(args) {
    const { accountId, scope, scopeId, rules, actor, now } = args;
    yield* lockScope(args);
    const key = [scope === 'team' ? scopeId : accountId, scope, scopeId];
    const detail = { scope, id: scopeId, rules: String(rules.length) };
    yield [
      rules.length === 0
        ? sql('DELETE FROM policies WHERE owner_id = ? AND scope = ? AND scope_id = ?', ...key)
        : sql(
            `INSERT INTO policies (owner_id, scope, scope_id, rules, updated_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (owner_id, scope, scope_id) DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at`,
            ...[...key, JSON.stringify(rules), now],
          ),
      noteSecurityEvent({ accountId, atMs: now, kind: 'policy_set', actor, detail }),
    ];
    return rules.length === 0 ? null : { scope, scopeId, rules: [...rules], updatedAtMs: now };
  },
};

export interface ListPoliciesArgs {
  accountId: string;
  /** Exclusive: the last one of the previous page. */
  after: { scope: string; scopeId: string } | null;
  limit: number;
}

/** The policies of an account, its projects, and its current team, by scope and id. */
export const listPolicies: StoreOperation<ListPoliciesArgs, StoredPolicy[]> = {
  name: 'policies.list',
  access: 'read',
  *run({ accountId, after, limit }) {
    const rows = yield* selectAll(
      `SELECT ${policyColumns.columns} FROM policies
       WHERE owner_id IN (?, (SELECT m.team_id FROM team_members m WHERE m.account_id = ?)) AND (scope, scope_id) > (?, ?)
       ORDER BY scope, scope_id LIMIT ?`,
      accountId,
      accountId,
      after?.scope ?? '',
      after?.scopeId ?? '',
      limit,
    );
    return rows.map(policyColumns.read);
  },
};

/** What applies to a task, in a project if one is given. */
export const findPolicies: StoreOperation<{ accountId: string; taskId: string; projectId: string | null }, StoredPolicy[]> = {
  name: 'policies.find',
  access: 'read',
  *run({ accountId, taskId, projectId }) {
    const rows = yield* selectAll(
      `SELECT ${policyColumns.columns} FROM policies
       WHERE owner_id = ? AND (scope, scope_id) IN (VALUES ('account', ?), ('project', ?))
       UNION ALL
       SELECT ${policyColumns.columnsOf('p')} FROM policies p
       WHERE p.scope = 'team' AND p.owner_id = ${teamOfTask} AND p.scope_id = p.owner_id`,
      accountId,
      accountId,
      projectId ?? '',
      accountId,
      taskId,
    );
    return rows.map(policyColumns.read);
  },
};
