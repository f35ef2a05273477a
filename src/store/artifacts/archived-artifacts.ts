import type { ArchiveContent } from '../../rules/files/content-url.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import { type ArtifactRecord, artifactColumns, readArtifact } from './artifact-record.ts';
import { marks, type StoreOperation, padToPowerOfTwo, selectAll, type SqlValue } from '../db/store-operation.ts';

/** How many artifacts are downloaded together. */
export const archiveMostArtifacts = 500;

export interface FindArchivedArgs extends ArchiveContent {
  /** Finds only what tasks of this application made; null finds any of the account's. */
  onlyClientId: string | null;
}

/** Artifacts that are downloaded together, the oldest first; those that are gone are left out. One more than may be. */
export const findArchived: StoreOperation<FindArchivedArgs, ArtifactRecord[]> = {
  name: 'artifacts.findArchived',
  access: 'read',
  *run({ accountId, taskId, artifactIds, onlyClientId }) {
    const where = ['a.account_id = ?'];
    const params: SqlValue[] = [accountId];
    if (taskId !== null) {
      where.push('a.task_id = ?');
      params.push(taskId);
    } else {
      const padded = padToPowerOfTwo(artifactIds);
      where.push(`a.id IN (${marks(padded.length) || 'NULL'})`);
      params.push(...padded);
    }
    if (onlyClientId !== null) {
      where.push('a.oauth_client_id = ?');
      params.push(onlyClientId);
    }
    const rows = yield* selectAll(
      `SELECT ${artifactColumns} FROM artifacts a WHERE ${where.join(' AND ')} ORDER BY a.id LIMIT ?`,
      ...params,
      archiveMostArtifacts + 1,
    );
    return rows.map(readArtifact);
  },
};

/** A file of an archive before it has its name in it. */
export interface ArchivedFile extends StoredFile {
  modifiedAtMs: number;
}

/** Every file of these artifacts, of decks both forms; sites have none. */
export function listArchivedFiles(artifacts: readonly ArtifactRecord[]): ArchivedFile[] {
  return artifacts.flatMap(({ attachment, createdAtMs: modifiedAtMs }) => {
    if (attachment === null) return [];
    const { forms } = attachment;
    const files: readonly StoredFile[] = forms ? [forms.html, forms.pptx] : [attachment];
    return files.map((file) => ({ ...file, modifiedAtMs }));
  });
}
