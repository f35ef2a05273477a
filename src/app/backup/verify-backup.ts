import type { Config } from '../../config/config.ts';
import type { BackupManifest } from '../../store/backup/backup-manifest.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import { BackupRepository } from '../../store/backup/backup-repository.ts';
import { backupKeys, copiesAtOnce, inGroups, readBlobs, readTables, readWorkspaces } from './backup-parts.ts';
import type { ReportBackup } from './backup-progress.ts';
import { openBackupTarget } from './open-backup-target.ts';

export interface VerifyRequest {
  source: string;
  /** Null for the newest. */
  backup: string | null;
  config: Config;
  report: ReportBackup;
  signal: AbortSignal;
}

/** Opens the backups of a source and finds one. */
export async function findBackup({ source, backup, config }: Pick<VerifyRequest, 'source' | 'backup' | 'config'>) {
  const repository = await BackupRepository.open(await openBackupTarget(source, config), config.secrets.backupPassphrase);
  return { repository, manifest: await repository.find(backup) };
}

async function readAll(content: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of content);
}

/** Reads a backup as a whole and compares every checksum. Rejects with `BackupProblem` at the first damage. */
export async function verifyBackup(request: VerifyRequest): Promise<BackupManifest> {
  const { report, signal } = request;
  const { repository, manifest } = await findBackup(request);
  const checkSignal = () => {
    if (signal.aborted) throw new BackupProblem('interrupted; the backup is not checked');
  };
  await readAll(readTables(repository, manifest));
  report({ stage: 'database', count: manifest.database.rows, total: manifest.database.rows });
  let count = 0;
  for await (const group of inGroups(readBlobs(repository, manifest), copiesAtOnce)) {
    checkSignal();
    await Promise.all(group.map((entry) => readAll(repository.open(backupKeys.blob(entry.account, entry.id), entry))));
    count += group.length;
    report({ stage: 'files', count, total: manifest.blobs.count });
  }
  count = 0;
  for await (const entry of readWorkspaces(repository, manifest)) {
    checkSignal();
    await readAll(repository.open(backupKeys.workspace(manifest.id, entry.account, entry.task), entry));
    report({ stage: 'workspaces', count: ++count, total: manifest.workspaces.count });
  }
  return manifest;
}
