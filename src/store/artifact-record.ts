import type { ArtifactFileType, ArtifactType } from '../rules/artifact-type.ts';
import type { Attachment, StoredFile } from '../rules/task-event.ts';
import type { Row } from './db/operation.ts';

/** Something an agent made for its user, in its newest version; times in milliseconds since the epoch. */
export interface ArtifactRecord {
  accountId: string;
  id: string;
  /** The task that made it. */
  taskId: string;
  type: ArtifactType;
  fileType: ArtifactFileType;
  filename: string;
  displayName: string;
  isFavorite: boolean;
  /** Null where there is nothing to download: a website. */
  attachment: Attachment | null;
  platformType: string | null;
  resourceUri: string | null;
  apiKeyId: string | null;
  /** The present name of that key, null when there is none. */
  apiKeyName: string | null;
  oauthClientId: string | null;
  cover: StoredFile | null;
  createdAtMs: number;
}

/** What `readArtifact` needs of a row of `artifacts a`. */
export const artifactColumns = `a.account_id, a.id, a.task_id, a.type, a.file_type, a.filename, a.display_name, a.favorite,
  a.attachment, a.platform_type, a.resource_uri, a.api_key_id, a.oauth_client_id, a.cover, a.created_at,
  (SELECT k.name FROM api_keys k WHERE k.account_id = a.account_id AND k.id = a.api_key_id) AS api_key_name`;

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : null;
}

export function readArtifact(row: Row): ArtifactRecord {
  return {
    accountId: String(row.account_id),
    id: String(row.id),
    taskId: String(row.task_id),
    type: row.type as ArtifactType,
    fileType: row.file_type as ArtifactFileType,
    filename: String(row.filename),
    displayName: String(row.display_name),
    isFavorite: row.favorite === 1,
    attachment: readJson(row.attachment) as Attachment | null,
    platformType: textOrNull(row.platform_type),
    resourceUri: textOrNull(row.resource_uri),
    apiKeyId: textOrNull(row.api_key_id),
    apiKeyName: textOrNull(row.api_key_name),
    oauthClientId: textOrNull(row.oauth_client_id),
    cover: readJson(row.cover) as StoredFile | null,
    createdAtMs: Number(row.created_at),
  };
}
