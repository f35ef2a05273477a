import type { BackupManifest, BlobEntry } from '../../store/backup/backup-manifest.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import type { BackupRepository } from '../../store/backup/backup-repository.ts';
import { BlobMissing, type BlobStore } from '../../store/blobs/blob-store.ts';
import { backupKeys, copiesAtOnce, inGroups, readBlobs } from './backup-parts.ts';

/** A blob that the snapshot of the database references, as `account/id`. */
export type BlobName = `${string}/${string}`;

/** The blobs of the previous backup, read beside the new list; both have the same order. */
class EarlierBlobs {
  readonly #entries: AsyncGenerator<BlobEntry> | null;
  #next: BlobEntry | null = null;
  #isEnded = false;

  constructor(entries: AsyncGenerator<BlobEntry> | null) {
    this.#entries = entries;
    this.#isEnded = entries === null;
  }

  /** Finds a blob of the previous backup; calls must be in ascending order. */
  async find(name: BlobName): Promise<BlobEntry | null> {
    while (!this.#isEnded && (this.#next === null || nameOf(this.#next) < name)) await this.#advance();
    return !this.#isEnded && this.#next && nameOf(this.#next) === name ? this.#next : null;
  }

  async #advance(): Promise<void> {
    try {
      const found = (await this.#entries?.next()) as IteratorResult<BlobEntry, undefined> | undefined;
      this.#next = found?.value ?? null;
      this.#isEnded = this.#next === null;
    } catch (error) {
      // A damaged list of the backup before only means copying again.
      if (!(error instanceof BackupProblem)) throw error;
      this.#isEnded = true;
    }
  }
}

function nameOf({ account, id }: BlobEntry): BlobName {
  return `${account}/${id}`;
}

export interface BlobCopies {
  blobStore: BlobStore;
  repository: BackupRepository;
  /** The previous backup; null for the first one. */
  earlier: BackupManifest | null;
  signal: AbortSignal;
  onCopied(entry: BlobEntry, isNew: boolean): void;
}

async function copyBlob(
  { blobStore, repository, onCopied }: BlobCopies,
  name: BlobName,
  known: BlobEntry | null,
): Promise<BlobEntry> {
  const [account = '', id = ''] = name.split('/');
  const key = backupKeys.blob(account, id);
  if (known && (await repository.holds(key, known.bytes))) {
    onCopied(known, false);
    return known;
  }
  try {
    const entry = { account, id, ...(await repository.put(key, await blobStore.open(account, id))) };
    onCopied(entry, true);
    return entry;
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    throw new BackupProblem(`the file ${name} is in the database and missing where files are stored; the backup is not complete`);
  }
}

/** Copies the named blobs that the target does not have, and returns an entry for each. */
export async function* copyBlobs(copies: BlobCopies, names: readonly BlobName[]): AsyncGenerator<BlobEntry> {
  const { repository, earlier, signal } = copies;
  const before = new EarlierBlobs(earlier && readBlobs(repository, earlier));
  for await (const group of inGroups(names, copiesAtOnce)) {
    if (signal.aborted) throw new BackupProblem('interrupted; the backup is not complete');
    const known: (BlobEntry | null)[] = [];
    for (const name of group) known.push(await before.find(name));
    yield* await Promise.all(group.map((name, index) => copyBlob(copies, name, known[index] ?? null)));
  }
}
