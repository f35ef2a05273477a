import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, pause } from '@errand/base/clock.ts';
import { unlessMissing } from '../../store/blobs/durable-files.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { packWorkspace } from '@errand/sandbox/workspace-archive';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import type { Config } from '../../config/config.ts';
import type { BackupManifest, WorkspaceEntry } from '../../store/backup/backup-manifest.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import { BackupRepository } from '../../store/backup/backup-repository.ts';
import type { DatabaseSource } from '../../store/backup/database-source.ts';
import { openSqliteSource } from '../../store/backup/sqlite-source.ts';
import { TargetActivity } from '../../store/backup/target-activity.ts';
import { packLines, type TablePart } from '../../store/backup/table-stream.ts';
import { secretFile } from '../../store/instance/secret-file.ts';
import { openBlobStore } from '../open-content.ts';
import { backupKeys } from './backup-parts.ts';
import type { ReportBackup } from './backup-progress.ts';
import { type BlobName, copyBlobs } from './blob-copies.ts';
import { removeLeftovers } from './leftovers.ts';
import { openBackupTarget } from './open-backup-target.ts';

const holdMs = 10 * 60_000;
const renewEveryMs = 60_000;

export interface BackupRequest {
  target: string;
  config: Config;
  clock: Clock;
  /** The version of this program. */
  version: string;
  /** Whether the secret of the data folder is part of it. */
  hasSecret: boolean;
  report: ReportBackup;
  signal: AbortSignal;
}

/** What the snapshot of the database says about everything outside it. */
interface Snapshot {
  instanceId: string;
  blobs: Set<BlobName>;
  rows: number;
}

async function openSource({ config, clock }: BackupRequest): Promise<DatabaseSource> {
  const { databaseUrl } = config.secrets;
  if (databaseUrl === null) return openSqliteSource(config.dataDir, clock);
  const { openPostgresSource } = await import('../../store/backup/postgres-source.ts');
  return openPostgresSource(databaseUrl);
}

function at(part: TablePart, column: string): string[] {
  const index = part.columns.indexOf(column);
  return part.rows.map((row) => String(row[index]));
}

async function* noteParts(
  parts: AsyncIterable<TablePart>,
  snapshot: Snapshot,
  request: BackupRequest,
): AsyncGenerator<TablePart> {
  for await (const part of parts) {
    if (request.signal.aborted) throw new BackupProblem('interrupted; the backup is not complete');
    snapshot.rows += part.rows.length;
    if (part.table === 'instance') {
      const index = at(part, 'name').indexOf('id');
      snapshot.instanceId = at(part, 'value')[index] ?? snapshot.instanceId;
    }
    if (part.table === 'blob_refs') {
      const ids = at(part, 'blob_id');
      for (const [row, account] of at(part, 'account_id').entries()) snapshot.blobs.add(`${account}/${ids[row] ?? ''}`);
    }
    request.report({ stage: 'database', count: snapshot.rows, total: null });
    yield part;
  }
}

class BackupRun {
  readonly #request: BackupRequest;
  readonly #repository: BackupRepository;
  readonly #id: string;
  readonly #activity: TargetActivity;

  constructor(request: BackupRequest, repository: BackupRepository, id: string, activity: TargetActivity) {
    this.#request = request;
    this.#repository = repository;
    this.#id = id;
    this.#activity = activity;
  }

  async run(source: DatabaseSource): Promise<BackupManifest> {
    const migrations = await source.applied();
    const takenAt = this.#request.clock.now();
    const earlier = await this.#findEarlier();
    const snapshot: Snapshot = { instanceId: '', blobs: new Set(), rows: 0 };
    const lines = packLines(noteParts(source.read(), snapshot, this.#request));
    const database = await this.#repository.put(backupKeys.database(this.#id), lines);
    const { instanceId, rows } = snapshot;
    const blobs = await this.#copyBlobs(snapshot, earlier);
    const workspaces = await this.#copyWorkspaces(instanceId);
    const { version } = this.#request;
    const manifest: BackupManifest = {
      ...{ id: this.#id, taken_at: takenAt, version, instance_id: instanceId },
      ...{ migrations, database: { ...database, rows }, blobs, workspaces, secret: await this.#readSecret() },
    };
    this.#activity.checkUnbroken();
    await this.#repository.finish(manifest);
    return manifest;
  }

  /** The newest finished backup; null if there is none or it is damaged, in which case everything is copied. */
  async #findEarlier(): Promise<BackupManifest | null> {
    const id = (await this.#repository.list()).finished.at(-1);
    if (id === undefined) return null;
    return this.#repository.read(id).catch((error: unknown) => {
      if (error instanceof BackupProblem) return null;
      throw error;
    });
  }

  async #copyBlobs(snapshot: Snapshot, earlier: BackupManifest | null): Promise<BackupManifest['blobs']> {
    const { config, signal, report } = this.#request;
    const total = snapshot.blobs.size;
    const sum = { count: 0, bytes: 0, copied: 0 };
    const onCopied = ({ bytes }: { bytes: number }, isNew: boolean) => {
      sum.count += 1;
      sum.bytes += bytes;
      if (isNew) sum.copied += 1;
      report({ stage: 'files', count: sum.count, total });
    };
    const blobStore = await openBlobStore(config, snapshot.instanceId);
    const copies = { blobStore, repository: this.#repository, earlier, signal, onCopied };
    const entries = copyBlobs(copies, [...snapshot.blobs].toSorted());
    return { index: await this.#repository.put(backupKeys.blobs(this.#id), packLines(entries)), ...sum };
  }

  async #copyWorkspaces(instanceId: string): Promise<BackupManifest['workspaces']> {
    const { config, report, signal } = this.#request;
    const workspaces = createWorkspaces(join(config.dataDir, 'workspaces', instanceId));
    const owners = await workspaces.list();
    const sum = { count: 0, bytes: 0, left_out: 0 };
    const repository = this.#repository;
    const id = this.#id;
    async function* entries(): AsyncGenerator<WorkspaceEntry> {
      for (const { accountId: account, taskId: task } of owners) {
        if (signal.aborted) throw new BackupProblem('interrupted; the backup is not complete');
        const generation = await workspaces.generation(account, task);
        if (generation === null) continue;
        const limits = { bytes: Number.MAX_SAFE_INTEGER, entries: Number.MAX_SAFE_INTEGER };
        const { content, leftOut } = packWorkspace(workspaces.open(account, task).root, limits);
        const measure = await repository.put(backupKeys.workspace(id, account, task), content).catch(async (error: unknown) => {
          // Its task was deleted, or it moved to another machine, since it was listed.
          if ((await workspaces.generation(account, task)) === null) return null;
          throw error;
        });
        if (measure === null) continue;
        sum.count += 1;
        sum.bytes += measure.bytes;
        const lacking = leftOut();
        sum.left_out += lacking.count;
        report({ stage: 'workspaces', count: sum.count, total: owners.length });
        yield { account, task, generation, ...measure, ...(lacking.count > 0 && { left_out: lacking }) };
      }
    }
    return { index: await repository.put(backupKeys.workspaces(id), packLines(entries())), ...sum };
  }

  async #readSecret(): Promise<string | null> {
    const { config, hasSecret } = this.#request;
    if (!hasSecret || config.secrets.encryptionKey !== null) return null;
    return unlessMissing(readFile(join(config.dataDir, secretFile), 'utf8'));
  }
}

/** Renews the hold until the signal aborts. After a failed renewal, what remains of ten minutes is left for the next attempt. */
async function keepHold(source: DatabaseSource, id: string, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(clock, renewEveryMs, signal);
    if (signal.aborted) return;
    await source.hold(id, holdMs).catch(() => undefined);
  }
}

/** A new id. Ids sort by time, even within one second. */
function newBackupId(clock: Clock): string {
  return `${new Date(clock.now()).toISOString().replaceAll(/[-:.]/g, '')}-${randomBase62(6)}`;
}

/**
 * Backs up the configured instance, whether a service runs or not. The order makes it consistent: deletions of files are held, the database
 * is read at one point in time, then the files that it references are copied, which never change.
 */
export async function createBackup(request: BackupRequest): Promise<BackupManifest & { isEncrypted: boolean }> {
  const { config, clock } = request;
  const source = await openSource(request);
  const id = newBackupId(clock);
  const ended = new AbortController();
  try {
    const target = await openBackupTarget(request.target, config);
    const repository = await BackupRepository.openOrMake(target, config.secrets.backupPassphrase);
    const activity = await TargetActivity.begin(repository, id, 'backup', clock);
    const renewing = [activity.renewUntil(ended.signal), keepHold(source, id, clock, ended.signal)];
    try {
      await source.hold(id, holdMs);
      await removeLeftovers(repository, id, activity);
      return { ...(await new BackupRun(request, repository, id, activity).run(source)), isEncrypted: repository.isEncrypted };
    } finally {
      ended.abort();
      await Promise.all(renewing);
      await activity.end();
    }
  } finally {
    await source.close(id);
  }
}
