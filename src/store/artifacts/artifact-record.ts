import type { ArtifactFileType, ArtifactType } from '../../rules/artifacts/artifact-type.ts';
import type { SiteVisibility } from '../../rules/websites/site.ts';
import type { Attachment, StoredFile } from '../../rules/events/task-event.ts';
import type { Row } from '../db/store-operation.ts';
import { computedCodec, flag, integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

/** `artifacts` */
export const artifactRow = tableCodec('artifacts', {
  account_id: text,
  id: text,
  task_id: text,
  version: integer,
  type: oneOf<ArtifactType>(),
  file_type: oneOf<ArtifactFileType>(),
  filename: text,
  display_name: text,
  favorite: flag,
  attachment: nullable(json<Attachment>()),
  platform_type: nullable(text),
  resource_uri: nullable(text),
  api_key_id: nullable(text),
  oauth_client_id: nullable(text),
  cover: nullable(json<StoredFile>()),
  cover_tries: integer,
  created_at: integer,
});
const joinedRow = computedCodec('artifacts with what they refer to', {
  api_key_name: nullable(text),
  oauth_client_name: nullable(text),
  site: nullable(text),
});

/** The newest version of something an agent made for its user; times in milliseconds since the epoch. */
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
  /** Null if there is nothing to download: a website. */
  attachment: Attachment | null;
  platformType: string | null;
  resourceUri: string | null;
  apiKeyId: string | null;
  /** The current name of that key, null if there is none. */
  apiKeyName: string | null;
  oauthClientId: string | null;
  /** The current name of that application, null if there is none. */
  oauthClientName: string | null;
  cover: StoredFile | null;
  /** Location of a published site, null for everything else. */
  site: SitePlace | null;
  createdAtMs: number;
}

/** What the URL of a published site is built from. */
export interface SitePlace {
  websiteId: string;
  space: string;
  visibility: SiteVisibility;
}

const own = artifactRow.pick(
  'account_id, id, task_id, type, file_type, filename, display_name, favorite as isFavorite',
  'attachment, platform_type, resource_uri, api_key_id, oauth_client_id, cover, created_at',
);

/** Columns of `artifacts a` that `readArtifact` needs. */
export const artifactColumns = `${own.columnsOf('a')},
  (SELECT k.name FROM api_keys k WHERE k.account_id = a.account_id AND k.id = a.api_key_id) AS api_key_name,
  (SELECT o.name FROM oauth_apps o WHERE o.client_id = a.oauth_client_id) AS oauth_client_name,
  (SELECT w.visibility || ' ' || w.space FROM websites w
   WHERE w.account_id = a.account_id AND w.id = a.id AND w.publish_status = 'published') AS site`;

function readSite(websiteId: string, site: string | null): SitePlace | null {
  if (site === null) return null;
  const [visibility, space = ''] = site.split(' ');
  return { websiteId, space, visibility: visibility as SiteVisibility };
}

export function readArtifact(row: Row): ArtifactRecord {
  const joined = joinedRow.read(row);
  return { ...own.read(row), ...joined, site: readSite(artifactRow.id(row), joined.site) };
}
