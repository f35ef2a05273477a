import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { Row } from '../db/store-operation.ts';
import { computedCodec, nullable, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';

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

const joinedRow = computedCodec('tasks with what they refer to', { api_key_name: nullable(text) });

/** What `readTask` needs of a row. */
export const taskColumns = `t.account_id, t.id, t.status, t.title, t.task_type, t.profile, t.locale, t.interactive, t.hidden,
  t.share_visibility, t.share_id, t.api_key_id, t.oauth_client_id, t.project_id, t.agent_id, t.created_at, t.updated_at, t.last_seq,
  t.credits,
  (SELECT k.name FROM api_keys k WHERE k.account_id = t.account_id AND k.id = t.api_key_id) AS api_key_name`;

export function readTask(row: Row): TaskRecord {
  return {
    accountId: taskRow.account_id(row),
    id: taskRow.id(row),
    status: taskRow.status(row),
    title: taskRow.title(row),
    taskType: taskRow.task_type(row),
    profile: taskRow.profile(row),
    locale: taskRow.locale(row),
    isInteractive: taskRow.interactive(row),
    isHidden: taskRow.hidden(row),
    shareVisibility: taskRow.share_visibility(row) as ShareVisibility,
    shareId: taskRow.share_id(row),
    apiKeyId: taskRow.api_key_id(row),
    projectId: taskRow.project_id(row),
    agentId: taskRow.agent_id(row),
    apiKeyName: joinedRow.api_key_name(row),
    oauthClientId: taskRow.oauth_client_id(row),
    createdAtMs: taskRow.created_at(row),
    updatedAtMs: taskRow.updated_at(row),
    lastSeq: taskRow.last_seq(row),
    credits: taskRow.credits(row),
  };
}
