import type { ArchiveContent } from '../../rules/files/content-url.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import { type ArtifactRecord, artifactColumns, readArtifact } from './artifact-record.ts';
import { marks, type StoreOperation, padToPowerOfTwo, selectAll, type SqlValue } from '../db/store-operation.ts';

/** Maximum number of artifacts in one download. */
export const archiveMostArtifacts = 500;

export interface FindArchivedArgs extends ArchiveContent {
  /** Restricts the search to tasks of this application; null searches all of the account's. */
  onlyClientId: string | null;
}

/** Artifacts for one download, oldest first, without deleted ones. May return one more than the maximum. */
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
      // SQLite would look for the artifacts of a task among all of the account.
      `SELECT ${artifactColumns} FROM artifacts a ${taskId === null ? '' : 'INDEXED BY artifacts_by_task'}
       WHERE ${where.join(' AND ')} ORDER BY a.id LIMIT ?`,
      ...params,
      archiveMostArtifacts + 1,
    );
    return rows.map(readArtifact);
  },
};

/** A file of an archive whose name in it is not yet decided. */
export interface ArchivedFile extends StoredFile {
  modifiedAtMs: number;
}

/** Every file of these artifacts; decks have two, sites none. */
export function listArchivedFiles(artifacts: readonly ArtifactRecord[]): ArchivedFile[] {
  return artifacts.flatMap(({ attachment, createdAtMs: modifiedAtMs }) => {
    if (attachment === null) return [];
    const { forms } = attachment;
    const files: readonly StoredFile[] = forms ? [forms.html, forms.pptx] : [attachment];
    return files.map((file) => ({ ...file, modifiedAtMs }));
  });
}
