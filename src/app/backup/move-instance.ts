import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { hideSecrets } from '../../config/secrets.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import { lockDataFolder } from '../../store/db/data-folder.ts';
import { migrateStore } from '../database-schema.ts';
import { type BackupRequest, createBackup } from './create-backup.ts';
import { type RestoreResult, restoreHeld } from './restore-backup.ts';
import { movePrefix } from './staged-folder.ts';

export interface MoveRequest extends Omit<BackupRequest, 'target' | 'hasSecret'> {
  /** Address of an empty PostgreSQL database; undefined leaves the database where it is. */
  to: string | undefined;
  /** The bucket for files; undefined leaves them where they are. */
  blobs: Config['blobs'] | undefined;
}

function checkDestination({ config, blobs = config.blobs }: MoveRequest): void {
  if (config.secrets.databaseUrl !== null)
    throw new BackupProblem('ERRAND_DATABASE_URL: this instance uses PostgreSQL already; unset it to move the data folder');
  const { s3AccessKeyId, s3SecretAccessKey } = config.secrets;
  if (blobs.kind === 's3' && (s3AccessKeyId === null || s3SecretAccessKey === null))
    throw new BackupProblem('ERRAND_S3_ACCESS_KEY_ID and ERRAND_S3_SECRET_ACCESS_KEY: are needed by --blobs');
}

async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(movePrefix)) await rm(join(dataDir, name), { recursive: true });
  }
}

/**
 * Moves an instance from its data folder into PostgreSQL, its files into a bucket, or both, by restoring a backup there. The folder is
 * locked meanwhile, so nothing acknowledged stays behind. Its old content is set aside in it. Until the database is filled, nothing changes.
 */
export async function moveInstance(request: MoveRequest): Promise<RestoreResult> {
  checkDestination(request);
  const { config, clock, to, blobs = config.blobs, ...common } = request;
  const { dataDir } = config;
  const lock = lockDataFolder(dataDir);
  try {
    // A killed move may have left drafts.
    await removeDrafts(dataDir);
    const draft = join(dataDir, `${movePrefix}${randomBytes(6).toString('hex')}`);
    await createBackup({ ...common, config, clock, target: draft, hasSecret: true });
    const moved = { ...config, blobs, secrets: hideSecrets({ ...config.secrets, databaseUrl: to ?? null }) };
    const replaces = { folder: true, database: false };
    const restored = await restoreHeld({ ...common, config: moved, clock, source: draft, backup: null, replaces });
    const { shipped } = await migrateStore(moved, clock);
    return { ...restored, schema: { ...restored.schema, to: shipped } };
  } finally {
    await removeDrafts(dataDir);
    lock.release();
  }
}
