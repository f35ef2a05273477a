import type { ArtifactFileType, ArtifactType } from '../../rules/artifacts/artifact-type.ts';
import type { SiteVisibility } from '../../rules/websites/site.ts';
import type { Attachment, StoredFile } from '../../rules/events/task-event.ts';
import type { Row } from '../db/store-operation.ts';

/** Something an agent made for its user, in its newest version; times in milliseconds since the epoch. */
export interface ArtifactRecord {
  accountId: string;
  id: string;
  /** The task that created the artifact. */
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
  /** The present name of that application, null when there is none. */
  oauthClientName: string | null;
  cover: StoredFile | null;
  /** Where a published site is, null for everything else. */
  site: SitePlace | null;
  createdAtMs: number;
}

/** What the address of a published site is made of. */
export interface SitePlace {
  websiteId: string;
  space: string;
  visibility: SiteVisibility;
}

/** What `readArtifact` needs of a row of `artifacts a`. */
export const artifactColumns = `a.account_id, a.id, a.task_id, a.type, a.file_type, a.filename, a.display_name, a.favorite,
  a.attachment, a.platform_type, a.resource_uri, a.api_key_id, a.oauth_client_id, a.cover, a.created_at,
  (SELECT k.name FROM api_keys k WHERE k.account_id = a.account_id AND k.id = a.api_key_id) AS api_key_name,
  (SELECT o.name FROM oauth_apps o WHERE o.client_id = a.oauth_client_id) AS oauth_client_name,
  (SELECT w.visibility || ' ' || w.space FROM websites w
   WHERE w.account_id = a.account_id AND w.id = a.id AND w.publish_status = 'published') AS site`;

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : null;
}

function readSite(websiteId: string, site: unknown): SitePlace | null {
  if (typeof site !== 'string') return null;
  const [visibility, space = ''] = site.split(' ');
  return { websiteId, space, visibility: visibility as SiteVisibility };
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
    oauthClientName: textOrNull(row.oauth_client_name),
    cover: readJson(row.cover) as StoredFile | null,
    site: readSite(String(row.id), row.site),
    createdAtMs: Number(row.created_at),
  };
}
