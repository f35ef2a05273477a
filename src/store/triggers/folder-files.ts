import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises';
import { matchesPattern } from '../../rules/triggers/watched-folder.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Entries of a watched folder; more take too long to look at. */
export const mostEntries = 10_000;

/** Why a folder cannot be looked at, as a sentence for the owner of its trigger. */
export class FolderProblem extends Error {}

/** A file has become another one, or has gone, since it was found. */
export class FileChanged extends Error {}

/** A file as it was found. Its time is that of its last change of any kind, also of a rename, in whole milliseconds. */
export interface SeenFile {
  name: string;
  changedAtMs: number;
  modifiedAtMs: number;
  bytes: number;
}

/** The time window of new files in a folder: changed after the last one that was taken, but not later than this. */
export interface FileWindow {
  afterMs: number;
  afterName: string;
  untilMs: number;
  pattern: string;
}

function describeStats(name: string, { ctimeMs, mtimeMs, size }: Stats): SeenFile {
  return { name, changedAtMs: Math.floor(ctimeMs), modifiedAtMs: Math.floor(mtimeMs), bytes: size };
}

/** The order in which files are taken. */
function compareFiles(one: SeenFile, other: SeenFile): number {
  return one.changedAtMs - other.changedAtMs || (one.name < other.name ? -1 : 1);
}

function isNew(file: SeenFile, { afterMs, afterName, untilMs }: FileWindow): boolean {
  if (file.changedAtMs > untilMs) return false;
  return file.changedAtMs > afterMs || (file.changedAtMs === afterMs && file.name > afterName);
}

/** A folder that is held open: whoever replaces it or its parents meanwhile leads nobody elsewhere. Needs /proc, so Linux. */
export class OpenFolder implements AsyncDisposable {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Enters one folder after another from a root, never through a link below it. Rejects with `FolderProblem`. */
  static async open(root: string, segments: readonly string[]): Promise<OpenFolder> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(root, O_RDONLY | O_DIRECTORY);
      for (const name of segments) {
        const parent = handle;
        handle = await open(`/proc/self/fd/${parent.fd}/${name}`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        await parent.close();
      }
      return new OpenFolder(handle);
    } catch (error) {
      await handle?.close();
      // Not what the system says: it may name the path of the root.
      throw new FolderProblem('The folder does not exist, is a link, or cannot be read by the service.', { cause: error });
    }
  }

  /** The first new files, oldest first; links and folders are none. Rejects with `FolderProblem`. */
  async findNew(window: FileWindow, limit: number): Promise<SeenFile[]> {
    const found: SeenFile[] = [];
    let count = 0;
    for await (const entry of await opendir(this.#at('.'))) {
      if (++count > mostEntries)
        throw new FolderProblem(`The folder has more than ${mostEntries} entries; move away what is done.`);
      if (!entry.isFile() || !matchesPattern(entry.name, window.pattern)) continue;
      const stats = await lstat(this.#at(entry.name)).catch(() => null);
      if (!stats?.isFile()) continue;
      const file = describeStats(entry.name, stats);
      if (isNew(file, window)) found.push(file);
    }
    return found.toSorted(compareFiles).slice(0, limit);
  }

  /** The bytes of a file. Fails with `FileChanged` unless it is, before and after, as it was found. */
  async *read(file: SeenFile): AsyncGenerator<Uint8Array> {
    const changed = (cause?: unknown) => new FileChanged('The file was changed while it was read.', { cause });
    const opened = open(this.#at(file.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    await using handle = await opened.catch((error: unknown) => {
      throw changed(error);
    });
    const check = async () => {
      const stats = await handle.stat();
      const { changedAtMs, bytes } = describeStats(file.name, stats);
      if (!stats.isFile() || changedAtMs !== file.changedAtMs || bytes !== file.bytes) throw changed();
    };
    await check();
    yield* handle.createReadStream({ autoClose: false, end: Math.max(file.bytes - 1, 0) }) as AsyncIterable<Uint8Array>;
    await check();
  }

  #at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}
