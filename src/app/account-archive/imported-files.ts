import type { Clock } from '@errand/base/clock.ts';
import { isId, newId } from '@errand/base/ids.ts';
import { workspaceArchiveLimits } from '@errand/sandbox/workspace-archive';
import { unpackWorkspace } from '@errand/sandbox/workspace-unpacking';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { ArchiveFile } from '../../store/account-archive/archive-manifest.ts';
import { refuseArchive } from '../../store/account-archive/archive-refusal.ts';
import { readLines } from '../../store/account-archive/archived-rows.ts';
import { dropImportedBlobs, expectImportedBlob, takeImportedBlobs } from '../../store/account-archive/import-blobs.ts';
import type { BlobStore } from '../../store/blobs/blob-store.ts';
import { recordBlob } from '../../store/blobs/storage-use.ts';
import type { Database } from '../../store/db/database.ts';
import type { WorkspaceCopy } from '../../store/tasks/workspace-saves.ts';
import { readEntryName } from './archive-names.ts';
import type { ArchiveReader } from './archive-reader.ts';

/** How long files wait for the rows that refer to them. */
const graceMs = 24 * 60 * 60_000;
/** Records removed in one transaction. */
const chunk = 500;

export interface ImportedFilesParts {
  database: Database;
  blobStore: BlobStore;
  workspaces: Workspaces;
  /** Whether no other machine can drive the tasks, so that folders are never restored from their copies. */
  isAlone: boolean;
  clock: Clock;
}

interface Save extends Pick<WorkspaceCopy, 'blobId' | 'generation'> {
  isPacked: boolean;
}

/** The newest copies of folders, by their tasks, from the rows of an archive. */
function readSaves(file: string): Map<string, Save> {
  const saves = new Map<string, Save>();
  for (const line of readLines(file)) {
    let row: { task_id?: unknown; blob_id?: unknown; generation?: unknown; packed_bytes?: unknown };
    try {
      row = JSON.parse(line) as typeof row;
    } catch (error) {
      throw refuseArchive('a row is damaged', error);
    }
    const { task_id: taskId, blob_id: blobId, generation } = row ?? {};
    if (typeof taskId !== 'string' || typeof blobId !== 'string' || typeof generation !== 'number' || !isId(taskId))
      throw refuseArchive('a row is damaged');
    saves.set(taskId, { blobId, generation, isPacked: (row.packed_bytes ?? null) !== null });
  }
  return saves;
}

/** The files of an account that is being imported, which are stored before the rows that refer to them. */
export class ImportedFiles {
  /** Folders that other machines can restore once the rows are stored. */
  readonly copies: WorkspaceCopy[] = [];
  readonly #parts: ImportedFilesParts;
  readonly #reader: ArchiveReader;
  readonly #accountId: string;
  readonly #generations: ReadonlyMap<string, number>;
  readonly #saves: ReadonlyMap<string, Save>;
  readonly #blobIds = new Set<string>();
  readonly #taskIds = new Set<string>();

  /** @param savesFile the rows of `workspace_saves` */
  constructor(parts: ImportedFilesParts, reader: ArchiveReader, savesFile: string | null) {
    this.#parts = parts;
    this.#reader = reader;
    const { account, workspaces } = reader.manifest;
    this.#accountId = account.id;
    this.#generations = new Map(workspaces.map(({ task_id, generation }) => [task_id, generation]));
    this.#saves = savesFile === null ? new Map() : readSaves(savesFile);
  }

  async store(file: ArchiveFile): Promise<void> {
    const entry = readEntryName(file.name);
    if (entry?.kind === 'blob') await this.#storeBlob(entry.id, file);
    if (entry?.kind === 'workspace') await this.#storeWorkspace(entry.id, file);
  }

  /**
   * With the embedded database, unpacks the newest copies of workspaces whose folder the archive lacks or has in an older state; runs after
   * all files. Packed workspaces stay packed. With PostgreSQL, it does nothing, because the next worker of each task restores its workspace.
   */
  async restoreSaves(checkSignal: () => Promise<void>): Promise<void> {
    const { blobStore, isAlone } = this.#parts;
    if (!isAlone) return;
    for (const [taskId, { blobId, generation, isPacked }] of this.#saves) {
      // The workspace of an emptied task has no file.
      if (blobId === '' || this.#taskIds.has(taskId)) continue;
      if (!this.#blobIds.has(blobId)) throw refuseArchive('a file is missing');
      if (isPacked) continue;
      await checkSignal();
      await this.#unpack(taskId, await blobStore.open(this.#accountId, blobId), generation);
    }
  }

  /** Removes what the import has stored. What cannot be removed now is swept a day later, with its records. */
  async undo(): Promise<void> {
    const { database, blobStore, workspaces } = this.#parts;
    const accountId = this.#accountId;
    // Without an answer nobody knows whether the account exists, and whoever deletes its files would destroy it.
    const taken = await database.run(takeImportedBlobs, { accountId });
    if (taken === null) return;
    for (const taskId of this.#taskIds) await workspaces.remove(accountId, taskId).catch(() => undefined);
    for (const blobId of taken) await blobStore.remove(accountId, blobId);
    for (let at = 0; at < Math.max(1, taken.length); at += chunk) {
      await database.run(dropImportedBlobs, { accountId, blobIds: taken.slice(at, at + chunk) });
    }
  }

  async #storeBlob(blobId: string, file: ArchiveFile): Promise<void> {
    const { database, blobStore } = this.#parts;
    const accountId = this.#accountId;
    const isNew = await database.run(expectImportedBlob, { accountId, blobId, graceMs });
    if (!isNew) await blobStore.remove(accountId, blobId);
    this.#blobIds.add(blobId);
    const { bytes } = await blobStore.put(accountId, blobId, this.#reader.read(file), file.bytes);
    await database.run(recordBlob, { accountId, blobId, bytes, limit: null });
  }

  async #storeWorkspace(taskId: string, file: ArchiveFile): Promise<void> {
    const { clock, isAlone } = this.#parts;
    const held = this.#generations.get(taskId) ?? 0;
    const saved = this.#saves.get(taskId)?.generation ?? 0;
    if (held < saved) return;
    if (isAlone) {
      await this.#unpack(taskId, this.#reader.read(file), held);
      return;
    }
    // Emptying a task does the same: no machine can have a folder of this task with this number.
    const generation = Math.max(clock.now(), saved + 1);
    const blobId = newId(clock.now());
    await this.#storeBlob(blobId, file);
    this.copies.push({ taskId, blobId, generation });
    await this.#unpack(taskId, this.#reader.read(file), generation);
  }

  async #unpack(taskId: string, content: AsyncIterable<Uint8Array>, generation: number): Promise<void> {
    const { workspaces } = this.#parts;
    const accountId = this.#accountId;
    await workspaces.remove(accountId, taskId);
    this.#taskIds.add(taskId);
    const { root } = workspaces.open(accountId, taskId);
    const leftOut = await unpackWorkspace(root, content, { limits: workspaceArchiveLimits });
    if (leftOut.count > 0) await workspaces.setLeftOut(accountId, taskId, leftOut);
    if (generation > 0) await workspaces.setGeneration(accountId, taskId, generation);
  }
}
