/** Columns of tables that several subjects read. Other tables are declared next to their statements. */
import type { Plan } from '../../rules/accounts/access.ts';
import type { AccountStatus } from '../../rules/accounts/account-status.ts';
import type { TeamRole } from '../../rules/accounts/team-role.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { TaskMetadata } from '../../rules/tasks/task-metadata.ts';
import { computedCodec, flag, integer, json, nullable, oneOf, tableCodec, text } from './row-codec.ts';
import type { Row } from './store-operation.ts';

/** `accounts` */
export const accountRow = tableCodec('accounts', {
  account_id: text,
  email: text,
  plan: oneOf<Plan>(),
  locale: text,
  created_at: integer,
  password: nullable(text),
  status: oneOf<AccountStatus>(),
  max_bytes: nullable(integer),
  max_files: nullable(integer),
  is_instance_owner: flag,
  weight: integer,
  max_running_tasks: nullable(integer),
  retention_days: nullable(integer),
  left_team_at: nullable(integer),
});

/** `teams` */
export const teamRow = tableCodec('teams', { team_id: text, name: text, created_at: integer });

/** `team_members`, the current team of each account; the columns of `other_memberships` are the same. */
export const teamMemberRow = tableCodec('team_members', {
  account_id: text,
  team_id: text,
  role: oneOf<TeamRole>(),
  joined_at: integer,
});

/** `tasks` */
export const taskRow = tableCodec('tasks', {
  account_id: text,
  id: text,
  status: oneOf<TaskStatus>(),
  title: text,
  auto_title: flag,
  task_type: text,
  profile: text,
  family: nullable(text),
  metadata: nullable(json<TaskMetadata>()),
  external_user_id: nullable(text),
  schedule_id: nullable(text),
  locale: text,
  interactive: flag,
  hidden: flag,
  share_visibility: text,
  share_id: nullable(text),
  api_key_id: nullable(text),
  oauth_client_id: nullable(text),
  project_id: nullable(text),
  agent_id: nullable(text),
  parent_id: nullable(text),
  depth: integer,
  created_at: integer,
  updated_at: integer,
  last_seq: integer,
  last_event_at: integer,
  session_cost: integer,
  open_cost: integer,
  last_model: nullable(text),
  charged_model: nullable(text),
  charged_cost: integer,
  credits: integer,
  lease_owner: nullable(text),
  wake_at: nullable(integer),
  fence: integer,
  crashes: integer,
  priority: integer,
  budget_root: nullable(text),
  budget_hold: nullable(integer),
  budget_retry_at: nullable(integer),
  decision_timeout_ms: nullable(integer),
  decision_timeout_answer: nullable(text),
  decision_due_at: nullable(integer),
  traceparent: nullable(text),
  trace_due_at: nullable(integer),
  traced_seq: integer,
  stopped_by_user: flag,
  pinned: flag,
  archived: flag,
  search_due_at: nullable(integer),
  assignee: nullable(text),
  team_id: nullable(text),
});

/** Reads `COUNT(*) AS count`. */
export const countRow = computedCodec('count', { count: integer });

/** Reads `errand_now() AS now`. */
export const clockRow = computedCodec('clock', { now: integer });

/**
 * Whether a worker has the newest run of a task: it holds it, or held it until a stop and nobody has claimed it since. The row has at least
 * `fence` and `lease_owner`.
 */
export function isNewestRun(task: Row, fence: number): boolean {
  if (taskRow.fence(task) === fence) return true;
  return taskRow.fence(task) === fence + 1 && taskRow.lease_owner(task) === null;
}
