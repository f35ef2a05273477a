import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { Row } from '../db/store-operation.ts';

export const shareVisibilities = ['private', 'team', 'public'] as const;
export type ShareVisibility = (typeof shareVisibilities)[number];

/** A task as it stands in its row; times in milliseconds since the epoch. */
export interface TaskRecord {
  accountId: string;
  id: string;
  status: TaskStatus;
  title: string;
  taskType: string;
  profile: string;
  locale: string;
  isInteractive: boolean;
  isHidden: boolean;
  shareVisibility: ShareVisibility;
  /** The unguessable id of its public address, null while private. */
  shareId: string | null;
  apiKeyId: string | null;
  projectId: string | null;
  /** The agent whose conversation it is, or that created it. */
  agentId: string | null;
  /** The present name of that key, null when there is none. */
  apiKeyName: string | null;
  oauthClientId: string | null;
  createdAtMs: number;
  updatedAtMs: number;
  lastSeq: number;
  /** What its ended sessions have cost and nobody gave back. */
  credits: number;
}

/** What `readTask` needs of a row. */
export const taskColumns = `t.account_id, t.id, t.status, t.title, t.task_type, t.profile, t.locale, t.interactive, t.hidden,
  t.share_visibility, t.share_id, t.api_key_id, t.oauth_client_id, t.project_id, t.agent_id, t.created_at, t.updated_at, t.last_seq,
  t.credits,
  (SELECT k.name FROM api_keys k WHERE k.account_id = t.account_id AND k.id = t.api_key_id) AS api_key_name`;

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function readTask(row: Row): TaskRecord {
  return {
    accountId: String(row.account_id),
    id: String(row.id),
    status: row.status as TaskStatus,
    title: String(row.title),
    taskType: String(row.task_type),
    profile: String(row.profile),
    locale: String(row.locale),
    isInteractive: row.interactive === 1,
    isHidden: row.hidden === 1,
    shareVisibility: row.share_visibility as ShareVisibility,
    shareId: textOrNull(row.share_id),
    apiKeyId: textOrNull(row.api_key_id),
    projectId: textOrNull(row.project_id),
    agentId: textOrNull(row.agent_id),
    apiKeyName: textOrNull(row.api_key_name),
    oauthClientId: textOrNull(row.oauth_client_id),
    createdAtMs: Number(row.created_at),
    updatedAtMs: Number(row.updated_at),
    lastSeq: Number(row.last_seq),
    credits: Number(row.credits),
  };
}
