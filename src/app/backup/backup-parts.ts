import { z } from 'zod';
import {
  blobEntry,
  type BackupManifest,
  type BlobEntry,
  type WorkspaceEntry,
  workspaceEntry,
} from '../../store/backup/backup-manifest.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import type { BackupRepository } from '../../store/backup/backup-repository.ts';
import { backupsKey } from '../../store/backup/backup-target.ts';
import { type TablePart, unpackLines } from '../../store/backup/table-stream.ts';

const tablePart = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});

/** The keys of the objects of a backup; blobs belong to all backups of a target. */
export const backupKeys = {
  /** Folders whose content belongs to one backup. */
  ownFolders: (id: string) => [`${backupsKey}/${id}`, `workspaces/${id}`],
  /** Folder whose content belongs to all backups. */
  blobFolder: 'files',
  database: (id: string) => `${backupsKey}/${id}/database`,
  blobs: (id: string) => `${backupsKey}/${id}/files`,
  workspaces: (id: string) => `${backupsKey}/${id}/workspaces`,
  blob: (account: string, id: string) => `files/${account}/${id.slice(-2)}/${id}`,
  workspace: (id: string, account: string, task: string) => `workspaces/${id}/${account}/${task}`,
};

/** The tables in a backup. */
export async function* readTables(repository: BackupRepository, { id, database }: BackupManifest): AsyncGenerator<TablePart> {
  const key = backupKeys.database(id);
  let rows = 0;
  for await (const line of unpackLines(repository.openChecked(key, database), key)) {
    const part = tablePart.parse(line);
    rows += part.rows.length;
    yield part;
  }
  if (rows !== database.rows) throw new BackupProblem(`${key} in ${repository.name} is damaged: rows are missing`);
}

/** The blobs in a backup, in the order of their accounts and ids. */
export async function* readBlobs(repository: BackupRepository, { id, blobs }: BackupManifest): AsyncGenerator<BlobEntry> {
  const key = backupKeys.blobs(id);
  for await (const line of unpackLines(repository.openChecked(key, blobs.index), key)) yield blobEntry.parse(line);
}

/** The workspaces in a backup. */
export async function* readWorkspaces(
  repository: BackupRepository,
  { id, workspaces }: BackupManifest,
): AsyncGenerator<WorkspaceEntry> {
  const key = backupKeys.workspaces(id);
  for await (const line of unpackLines(repository.openChecked(key, workspaces.index), key)) yield workspaceEntry.parse(line);
}

/** Items in groups of up to `size`, to work on together. */
export async function* inGroups<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<readonly Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    if (group.push(item) < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** How many files are copied at once. */
export const copiesAtOnce = 8;
