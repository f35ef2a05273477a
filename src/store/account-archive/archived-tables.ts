import type { RowValues, SqlValue } from '../db/store-operation.ts';
import { accountTables, storageTables } from '../accounts/account-tables.ts';

/** What of a table is in the archive of an account. */
interface TableRule {
  /** Values that replace these columns in exports and imports: secrets, digests, leases, and references to other accounts. */
  set?: RowValues;
  /** The column that says who sees the row. What is shared with a team is private in exports and imports: the next team is another. */
  visibility?: string;
  /** Whether an import makes new values for these columns. */
  isRenewed?: true;
  /** Rows in which this column has this value are left out. */
  except?: { column: string; value: string };
  /** SQL condition for the exported rows; `?` is the account. Other rows are left out. */
  only?: string;
}

const rules: Readonly<Record<string, TableRule>> = {
  // Owners are made by the operator of an instance.
  accounts: { set: { password: null, is_instance_owner: 0 }, except: { column: 'status', value: 'deleting' } },
  webhooks: {
    set: { secret: null, previous_secret: null, previous_secret_until: null, pulled_at: null, failing_since: null },
    except: { column: 'status', value: 'listening' },
  },
  triggers: { set: { secret: null, token: '', token_digest: '', team_id: null }, isRenewed: true },
  trigger_events: {},
  trigger_keys: {},
  schedules: { set: { team_id: null } },
  schedule_runs: { set: { lease_owner: null } },
  tasks: {
    set: { lease_owner: null, trace_due_at: null, search_due_at: 0, assignee: null, team_id: null },
    visibility: 'share_visibility',
  },
  events: {},
  mapped_rows: {},
  budget_holds: {},
  budgets: {},
  running_limits: {},
  task_metadata: {},
  artifacts: {},
  websites: { set: { team_id: null }, visibility: 'visibility' },
  website_versions: {},
  files: {},
  workspace_saves: {},
  workspace_use: {},
  // What setup scripts have made is made again.
  blob_refs: { only: "account_id = ? AND owner NOT LIKE 'setup:%'" },
  recipes: { set: { team_id: null } },
  inbox_decisions: {},
  // Those of others stay with them.
  ratings: { only: 'account_id = ? AND author_id = account_id' },
  // With those of others: they are part of what was said about the task.
  comments: {},
  memory_stores: {},
  memory_files: {},
  memory_versions: {},
  policies: { except: { column: 'scope', value: 'team' } },
  brands: {},
  projects: {},
  agents: {},
  skills: { except: { column: 'owner_type', value: 'team' } },
  skill_files: { only: "skill_id NOT IN (SELECT id FROM skills WHERE account_id = ? AND owner_type = 'team')" },
  connectors: { set: { headers: null, oauth: null } },
  // Trust is given by the operator of an instance.
  oauth_apps: { set: { kind: 'team', team_id: null } },
  usage_records: {},
  usage_calls: {},
  usage_days: {},
  credit_balances: {},
  security_events: {},
  notification_settings: { set: { next_digest_at: null } },
};

/** Tables with rows of accounts that are not in an archive, and why. */
export const omittedTables: ReadonlyMap<string, string> = new Map([
  ['trigger_objects', 'what was seen of buckets, whose watch begins anew'],
  ['key_digests', 'digests of API keys'],
  ['api_keys', 'digests of API keys'],
  ['password_links', 'digests of links that set a password'],
  ['pending_sign_ins', 'digests of sign-ins'],
  ['recovery_codes', 'digests of recovery codes'],
  ['authenticators', 'secrets of authenticator apps'],
  ['passkeys', 'belong to the address of the instance'],
  ['sessions', 'digests of sign-ins'],
  ['push_subscriptions', 'browsers that are signed in'],
  ['notifications', 'what the instance is about to send'],
  ['model_keys', 'keys of model providers'],
  ['identities', 'sign-ins at the identity provider of the instance'],
  ['oauth_devices', 'digests of device codes'],
  ['oauth_grants', 'digests of tokens'],
  ['oauth_secrets', 'digests of application secrets'],
  ['oauth_spent', 'digests of tokens'],
  ['bridge_codes', 'digests of codes that link chats'],
  ['bridge_chats', 'chats with the bots of the instance'],
  ['project_setups', 'made again by the setup script'],
  ['folded_states', 'computed from the events'],
  ['searched_tasks', 'computed from the events and files'],
  ['searched_files', 'computed from the files'],
  ['deliveries', 'what the instance sends to webhooks, and its record of that'],
  ['traversals', 'lists that are being read'],
  ['storage_use', 'counted anew'],
  ['blobs', 'made from the files of the archive'],
  ['inbox_assignments', 'names other accounts'],
  ['team_members', 'teams belong to several accounts'],
  ['other_memberships', 'teams belong to several accounts'],
  ['idempotency_keys', 'answers to requests of the last day'],
  ['api_requests', 'the requests of programs of the last week'],
  ['rate_windows', 'requests of the last minutes'],
]);

/** A table in the archive of an account. */
export interface ArchivedTable {
  table: string;
  /** The column that names the account. */
  column: string;
  set: RowValues;
  visibility: string | null;
  isRenewed: boolean;
  except: TableRule['except'];
  only: string | null;
}

function* listTables(): Generator<ArchivedTable> {
  const seen = new Set<string>();
  for (const { table, column } of [{ table: 'accounts', column: 'account_id' }, ...accountTables, ...storageTables]) {
    const rule = rules[table];
    if (!rule || seen.has(table)) continue;
    seen.add(table);
    yield {
      table,
      column,
      set: rule.set ?? {},
      visibility: rule.visibility ?? null,
      isRenewed: rule.isRenewed ?? false,
      except: rule.except,
      only: rule.only ?? null,
    };
  }
}

/** The tables in the archive of an account; its own row comes first. */
export const archivedTables: readonly ArchivedTable[] = [...listTables()];

/** A row without what belongs to this instance, as an archive has it and an import stores it. */
export function stripRow(row: RowValues, { set, visibility }: Pick<ArchivedTable, 'set' | 'visibility'>): RowValues {
  const isForTeam = visibility !== null && row[visibility] === 'team';
  return { ...row, ...set, ...(isForTeam && { [visibility]: 'private' }) };
}

/** The rows of an account that go into its archive, as an SQL condition. */
export function selectArchived(
  { column, except, only }: ArchivedTable,
  accountId: string,
): { where: string; params: SqlValue[] } {
  const conditions = [`${column} = ?`];
  const params: SqlValue[] = [accountId];
  if (except) {
    conditions.push(`${except.column} <> ?`);
    params.push(except.value);
  }
  if (only !== null) {
    conditions.push(only);
    params.push(accountId);
  }
  return { where: conditions.join(' AND '), params };
}
