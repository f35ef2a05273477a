/** A table with rows of accounts, and its primary key. */
export interface AccountTable {
  table: string;
  key: string;
  /** The column that names the account. */
  column: string;
  /** How many usual rows one of its rows counts for, because deleting it takes so long; 1 if omitted. */
  weight?: number;
}

const table = (name: string, ...key: string[]): AccountTable => ({
  table: name,
  key: ['account_id', ...key].join(', '),
  column: 'account_id',
});
const byOwnKey = (name: string, key: string, column = 'account_id'): AccountTable => ({ table: name, key, column });

/**
 * Every table with rows of accounts, in the order in which a deletion empties them: first what lets somebody or something act for the
 * account, then its tasks, whose workers lose their leases by it, then what they left. A test compares this list with the schema.
 */
export const accountTables: readonly AccountTable[] = [
  byOwnKey('key_digests', 'digest'),
  table('push_subscriptions', 'id'),
  table('password_links', 'digest'),
  table('pending_sign_ins', 'digest'),
  table('recovery_codes', 'digest'),
  table('authenticators', 'id'),
  table('passkeys', 'id'),
  table('sessions', 'id'),
  byOwnKey('oauth_devices', 'digest'),
  table('oauth_grants', 'id'),
  table('bridge_codes', 'digest'),
  table('bridge_chats', 'id'),
  table('identities', 'issuer'),
  table('model_keys', 'id'),
  table('webhooks', 'id'),
  table('triggers', 'id'),
  table('trigger_events', 'id'),
  table('trigger_keys', 'trigger_id', 'digest'),
  table('trigger_objects', 'trigger_id', 'digest'),
  table('schedules', 'id'),
  table('schedule_runs', 'schedule_id', 'due_at'),
  table('tasks', 'id'),
  table('events', 'task_id', 'seq'),
  table('folded_states', 'task_id'),
  // Each of its words is taken out of the index.
  { ...table('searched_tasks', 'task_id'), weight: 20 },
  table('searched_files', 'task_id', 'artifact_id'),
  table('mapped_rows', 'task_id', 'job', 'position'),
  table('budget_holds', 'task_id', 'scope', 'scope_id', 'period'),
  table('budgets', 'scope', 'scope_id', 'period'),
  table('running_limits', 'scope', 'scope_id'),
  table('task_metadata', 'key', 'value', 'task_id'),
  table('deliveries', 'id'),
  byOwnKey('deliveries', 'account_id, id', 'task_account_id'),
  table('notifications', 'id'),
  byOwnKey('notifications', 'account_id, id', 'task_account_id'),
  table('notification_settings'),
  table('artifacts', 'id'),
  table('traversals', 'id'),
  table('websites', 'id'),
  table('website_versions', 'website_id', 'number'),
  table('files', 'id'),
  table('workspace_saves', 'task_id'),
  table('workspace_use', 'task_id'),
  table('blob_refs', 'blob_id', 'owner'),
  table('recipes', 'id'),
  table('inbox_decisions', 'task_id', 'seq'),
  table('inbox_assignments', 'task_id', 'seq'),
  table('ratings', 'task_id', 'seq', 'author_id', 'external_user_id'),
  byOwnKey('ratings', 'account_id, task_id, seq, author_id, external_user_id', 'author_id'),
  table('comments', 'task_id', 'id'),
  byOwnKey('comments', 'account_id, task_id, id', 'author_id'),
  table('memory_stores', 'scope', 'scope_id'),
  table('memory_files', 'scope', 'scope_id', 'path'),
  table('memory_versions', 'scope', 'scope_id', 'path', 'version'),
  byOwnKey('policies', 'owner_id, scope, scope_id', 'owner_id'),
  table('brands', 'scope', 'scope_id'),
  table('projects', 'id'),
  table('project_setups', 'project_id'),
  table('agents', 'id'),
  table('skills', 'id'),
  table('skill_files', 'skill_id', 'path'),
  table('connectors', 'id'),
  table('api_keys', 'id'),
  table('oauth_apps', 'client_id'),
  table('oauth_secrets', 'client_id', 'id'),
  table('oauth_spent', 'grant_id', 'digest'),
  table('idempotency_keys', 'key'),
  table('usage_records', 'id'),
  table('usage_calls', 'id'),
  table('usage_days', 'day', 'project_id', 'model'),
  table('credit_balances'),
  byOwnKey('rate_windows', 'owner_id, class', 'owner_id'),
  byOwnKey('team_members', 'account_id'),
  table('other_memberships', 'team_id'),
  table('api_requests', 'id'),
  table('security_events', 'id'),
];

/** Emptied after the bytes of their blobs are gone, which the sweeper removes. */
export const storageTables: readonly AccountTable[] = [table('storage_use')];
