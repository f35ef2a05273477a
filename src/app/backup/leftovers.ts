import type { BackupRepository } from '../../store/backup/backup-repository.ts';
import type { TargetActivity } from '../../store/backup/target-activity.ts';
import { backupKeys } from './backup-parts.ts';

/** A draft of an object, which a killed process left in a folder. */
const draft = /\.[0-9a-f]{12}\.part$/;

async function removeAll(repository: BackupRepository, keys: readonly string[]): Promise<void> {
  for (const key of keys) await repository.remove(key);
}

/** Removes what belongs to one backup only. An unfinished one is left if this is interrupted. */
export async function removeBackup(repository: BackupRepository, id: string): Promise<void> {
  await repository.unfinish(id);
  for (const folder of backupKeys.ownFolders(id)) await removeAll(repository, await repository.listKeys(folder));
}

/**
 * Removes what killed backups left in a target: their own objects, and drafts of files unless other backups are running. Files that they
 * copied remain until `errand backup prune`, which knows which ones the remaining backups have.
 */
export async function removeLeftovers(repository: BackupRepository, own: string, activity: TargetActivity): Promise<void> {
  const { unfinished } = await repository.list();
  const isAtWork = (id: string) => id === own || activity.alive.includes(id);
  for (const id of unfinished.filter((each) => !isAtWork(each))) await removeBackup(repository, id);
  if (activity.dead.length === 0) return;
  if (activity.alive.length === 0) {
    const keys = await repository.listKeys(backupKeys.blobFolder);
    await removeAll(
      repository,
      keys.filter((key) => draft.test(key)),
    );
  }
  for (const id of activity.dead) await activity.bury(id);
}
