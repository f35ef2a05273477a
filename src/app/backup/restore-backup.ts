import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { unpackWorkspace } from '@errand/sandbox/workspace-unpacking';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import type { BackupManifest } from '../../store/backup/backup-manifest.ts';
import { BackupProblem, isFull } from '../../store/backup/backup-problem.ts';
import type { BackupRepository } from '../../store/backup/backup-repository.ts';
import { checkKnown } from '../../store/backup/database-source.ts';
import type { DatabaseDestination } from '../../store/backup/database-destination.ts';
import { createSqliteFile } from '../../store/backup/sqlite-destination.ts';
import type { TablePart } from '../../store/backup/table-stream.ts';
import { databaseFile, lockDataFolder } from '../../store/db/data-folder.ts';
import { isSecretOf, secretProofName } from '../../store/instance/open-sealed-box.ts';
import { secretFile } from '../../store/instance/secret-file.ts';
import { migrateStore } from '../database-schema.ts';
import { openBlobStore } from '../open-content.ts';
import { backupKeys, copiesAtOnce, inGroups, readBlobs, readTables, readWorkspaces } from './backup-parts.ts';
import { StagedFolder } from './staged-folder.ts';
import { findBackup, type VerifyRequest } from './verify-backup.ts';

export interface RestoreRequest extends VerifyRequest {
  clock: Clock;
  /** Whether the existing content of the data folder and the PostgreSQL database is replaced. */
  replaces: { folder: boolean; database: boolean };
}

export interface RestoreResult {
  manifest: BackupManifest;
  /** Schema versions of the backup and of the restored database. */
  schema: { from: number; to: number };
  /** The folder with the former content of the data folder; null if it was empty. */
  replaced: string | null;
}

class RestoreRun {
  readonly #request: RestoreRequest;
  readonly #repository: BackupRepository;
  readonly #manifest: BackupManifest;
  readonly #staged: StagedFolder;
  /** Blobs added to a bucket, where they cannot be staged. */
  readonly #added: [account: string, id: string][] = [];

  constructor(request: RestoreRequest, repository: BackupRepository, manifest: BackupManifest, staged: StagedFolder) {
    this.#request = request;
    this.#repository = repository;
    this.#manifest = manifest;
    this.#staged = staged;
  }

  async run(): Promise<void> {
    const { migrations } = this.#manifest;
    const database = await this.#openDatabase();
    try {
      await database.load(migrations, this.#checkSecret(readTables(this.#repository, this.#manifest)));
      const { database: stored } = this.#manifest;
      this.#request.report({ stage: 'database', count: stored.rows, total: stored.rows });
      await this.#restoreBlobs();
      await this.#restoreWorkspaces();
      await this.#finish(database);
    } catch (error) {
      await this.#removeAdded();
      throw error;
    } finally {
      await database.close();
    }
  }

  async #openDatabase(): Promise<DatabaseDestination> {
    const { config, replaces } = this.#request;
    const { databaseUrl } = config.secrets;
    if (databaseUrl === null) return createSqliteFile(join(this.#staged.path, databaseFile));
    const { openPostgresDestination } = await import('../../store/backup/postgres-destination.ts');
    const { restorePreparation: prepare } = await import('../../store/postgres-open.ts');
    return openPostgresDestination(databaseUrl, { isReplacing: replaces.database, prepare });
  }

  /** The database becomes visible last: with SQLite as a file that is moved in, with PostgreSQL when its transaction ends. */
  async #finish(database: DatabaseDestination): Promise<void> {
    const { secret } = this.#manifest;
    const { secrets } = this.#request.config;
    if (secret !== null && secrets.encryptionKey === null) {
      await writeFile(join(this.#staged.path, secretFile), secret, { mode: 0o600, flush: true });
    }
    if (secrets.databaseUrl === null) {
      await database.commit();
      await database.close();
      await this.#staged.moveIn(databaseFile);
      return;
    }
    await this.#staged.moveIn('');
    try {
      await database.commit();
    } catch (error) {
      await this.#staged.moveBack();
      throw error;
    }
  }

  /** Fails before anything is changed if the backup lacks the secret that sealed the keys in its database. */
  async *#checkSecret(parts: AsyncIterable<TablePart>): AsyncGenerator<TablePart> {
    for await (const part of parts) {
      this.#checkSignal();
      const [name, value] = [part.columns.indexOf('name'), part.columns.indexOf('value')];
      const proof = part.table === 'instance' ? part.rows.find((row) => row[name] === secretProofName) : undefined;
      if (proof) await this.#checkProof(String(proof[value]));
      yield part;
    }
  }

  async #checkProof(sealed: string): Promise<void> {
    const { dataDir, secrets } = this.#request.config;
    const file = join(dataDir, secretFile);
    const own = () => readFile(file, 'utf8').catch(() => null);
    const secret = secrets.encryptionKey ?? this.#manifest.secret ?? (await own());
    if (secret !== null && isSecretOf(sealed, secret.trim())) return;
    // What it has sealed stays readable; errand secret reseal seals it anew.
    if (secrets.previousEncryptionKey !== null && isSecretOf(sealed, secrets.previousEncryptionKey)) return;
    const remedy =
      secrets.encryptionKey !== null && this.#manifest.secret !== null
        ? 'unset it to use the secret in the backup'
        : `set it to the secret that the backed up instance used, or place that as ${file}`;
    throw new BackupProblem(
      `ERRAND_SECRET: ${secret === null ? 'the backup has no secret' : 'the backup is of an instance with another secret'}; ${remedy}`,
    );
  }

  async #restoreBlobs(): Promise<void> {
    const { config, report } = this.#request;
    const { instance_id: instanceId, blobs } = this.#manifest;
    const isBucket = config.blobs.kind === 's3';
    const blobStore = await openBlobStore(isBucket ? config : { ...config, dataDir: this.#staged.path }, instanceId);
    let count = 0;
    for await (const group of inGroups(readBlobs(this.#repository, this.#manifest), copiesAtOnce)) {
      this.#checkSignal();
      const restored = group.map(async (entry) => {
        const { account, id, bytes } = entry;
        const content = this.#repository.open(backupKeys.blob(account, id), entry);
        if (isBucket && (await blobStore.size(account, id)) === bytes) return;
        if (isBucket) this.#added.push([account, id]);
        await blobStore.put(account, id, content, Number.MAX_SAFE_INTEGER);
      });
      await Promise.all(restored);
      count += group.length;
      report({ stage: 'files', count, total: blobs.count });
    }
  }

  async #restoreWorkspaces(): Promise<void> {
    const { id, instance_id: instanceId, workspaces } = this.#manifest;
    const folder = join(this.#staged.path, 'workspaces', instanceId);
    const destination = createWorkspaces(folder);
    let count = 0;
    for await (const entry of readWorkspaces(this.#repository, this.#manifest)) {
      this.#checkSignal();
      const { account, task, generation } = entry;
      await mkdir(join(folder, account), { recursive: true, mode: 0o700 });
      const leftOut = await unpackWorkspace(
        destination.open(account, task).root,
        this.#repository.openChecked(backupKeys.workspace(id, account, task), entry),
      );
      if (leftOut.count > 0) await destination.setLeftOut(account, task, leftOut);
      if (generation > 0) await destination.setGeneration(account, task, generation);
      this.#request.report({ stage: 'workspaces', count: ++count, total: workspaces.count });
    }
  }

  async #removeAdded(): Promise<void> {
    if (this.#added.length === 0) return;
    const blobStore = await openBlobStore(this.#request.config, this.#manifest.instance_id);
    await Promise.allSettled(this.#added.map(([account, id]) => blobStore.remove(account, id)));
  }

  #checkSignal(): void {
    if (this.#request.signal.aborted) throw new BackupProblem('interrupted; nothing was restored');
  }
}

async function restoreInto(request: RestoreRequest, staged: StagedFolder): Promise<RestoreResult> {
  const { repository, manifest } = await findBackup(request);
  await checkKnown(manifest.migrations);
  await new RestoreRun(request, repository, manifest, staged).run();
  const from = Math.max(0, ...manifest.migrations.map(({ version }) => version));
  return { manifest, schema: { from, to: from }, replaced: staged.replaced };
}

/** Restores while the caller holds the lock of the data folder; the schema stays that of the backup. */
export async function restoreHeld(request: RestoreRequest): Promise<RestoreResult> {
  const { dataDir } = request.config;
  const staged = await StagedFolder.make(dataDir, request.replaces.folder);
  try {
    return await restoreInto(request, staged);
  } catch (error) {
    if (!isFull(error)) throw error;
    throw new BackupProblem(`no space is left in ${dataDir}; nothing was restored`, { cause: error });
  } finally {
    await staged.remove();
  }
}

async function restoreLocked(request: RestoreRequest): Promise<RestoreResult> {
  const lock = lockDataFolder(request.config.dataDir);
  try {
    return await restoreHeld(request);
  } finally {
    lock.release();
  }
}

/**
 * Restores a backup into the configured database and folder, or changes nothing. A running service is refused, and so is a target that is
 * not empty, unless it is to be replaced.
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreResult> {
  const { config, clock } = request;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const restored = await restoreLocked(request);
  const { shipped } = await migrateStore(config, clock);
  return { ...restored, schema: { ...restored.schema, to: shipped } };
}
