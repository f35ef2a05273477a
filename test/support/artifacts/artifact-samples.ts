import { newId } from '@errand/base/ids.ts';
import { type ArtifactType, classifyArtifact, extensionOf } from '../../../src/rules/artifacts/artifact-type.ts';
import { searchTextOf } from '../../../src/rules/artifacts/search-text.ts';
import type { RowValues, SqlValue } from '../../../src/store/db/store-operation.ts';
import { nextMs } from '../db/store-samples.ts';

type Query = (text: string, ...params: SqlValue[]) => Promise<RowValues[]> | RowValues[];

export interface SampleArtifact {
  id: string;
  accountId: string;
  taskId: string;
  filename: string;
  displayName: string;
  type: ArtifactType;
  fileType: 'file' | 'slides' | 'website' | 'webdev';
  resourceUri: string | null;
  apiKeyId: string | null;
  oauthClientId: string | null;
}

/** A row of the library, inserted directly into the store. */
export async function insertArtifact(
  query: Query,
  accountId: string,
  changes: Partial<SampleArtifact> = {},
): Promise<SampleArtifact> {
  const id = changes.id ?? newId(nextMs());
  const filename = changes.filename ?? 'report.pdf';
  const fileType = changes.fileType ?? 'file';
  const artifact: SampleArtifact = {
    id,
    accountId,
    taskId: 'T'.repeat(22),
    filename,
    displayName: filename,
    type: classifyArtifact(fileType, extensionOf(filename)),
    fileType,
    resourceUri: null,
    apiKeyId: null,
    oauthClientId: null,
    ...changes,
  };
  const attachment = { kind: 'file', blobId: newId(1), filename, contentType: 'application/pdf', bytes: 3 };
  const values: Record<string, SqlValue> = {
    account_id: accountId,
    id,
    task_id: artifact.taskId,
    path: id,
    version: 1,
    type: artifact.type,
    file_type: fileType,
    extension: extensionOf(filename),
    filename,
    display_name: artifact.displayName,
    search_text: searchTextOf(artifact.displayName, filename),
    favorite: 0,
    attachment: JSON.stringify(attachment),
    resource_uri: artifact.resourceUri,
    api_key_id: artifact.apiKeyId,
    oauth_client_id: artifact.oauthClientId,
    cover_tries: 0,
    created_at: 1,
    updated_at: 1,
  };
  const names = Object.keys(values);
  await query(
    `INSERT INTO artifacts (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(values),
  );
  return artifact;
}
