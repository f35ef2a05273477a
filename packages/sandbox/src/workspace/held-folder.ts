import { type Dirent, constants, existsSync } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@errand/base/fault.ts';
import { systemErrorCode } from './file-fault.ts';
import { sandboxUser } from './sandbox-user.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Linux's O_PATH, which Node does not name: a descriptor that needs no permission on its target. */
const O_PATH = 0o10000000;

/**
 * How an entry of a held folder is accessed. `descriptor`: through /proc/self/fd, so that whatever happens to its parents meanwhile, the
 * entry is one of exactly this folder (like openat). `path`: by path, for systems without /proc (macOS); `confirm` then checks that the
 * path still leads here, which leaves a window between check and use.
 */
export type Addressing = 'descriptor' | 'path';

const systemAddressing: Addressing = existsSync('/proc/self/fd') ? 'descriptor' : 'path';

/** The permissions that its owner needs to list a folder and use its entries. */
const entryBits = 0o500;

/** Opens a folder; fails with ENOTDIR or ELOOP if the path is a link. */
function openFolder(path: string): Promise<FileHandle> {
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** Makes a folder accessible to its owner. */
async function unlockFolder(path: string, addressing: Addressing): Promise<void> {
  if (addressing === 'path') return chmod(path, 0o700);
  await using entry = await open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  await chmod(`/proc/self/fd/${entry.fd}`, 0o700);
}

/** Runs `work`, but the error of `first` is the one that counts. */
async function insteadOf<Result>(first: unknown, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw systemErrorCode(error) === undefined ? error : first;
  }
}

/** Opens a folder, also if tool code has locked it. */
async function openOrUnlock(path: string, addressing: Addressing): Promise<FileHandle> {
  try {
    const handle = await openFolder(path);
    const { mode } = await handle.stat();
    // Only its owner may do that; root enters it anyway.
    if ((mode & entryBits) !== entryBits) await handle.chmod((mode & 0o777) | 0o700).catch(() => undefined);
    return handle;
  } catch (error) {
    if (systemErrorCode(error) !== 'EACCES') throw error;
    return await insteadOf(error, async () => {
      await unlockFolder(path, addressing);
      return await openFolder(path);
    });
  }
}

/** A folder held open while its entries are used. Links are never followed on the way in. Dispose of it. */
export class HeldFolder implements AsyncDisposable {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #addressing: Addressing;

  private constructor(handle: FileHandle, path: string, addressing: Addressing) {
    this.#handle = handle;
    this.#path = path;
    this.#addressing = addressing;
  }

  /**
   * Holds a folder of the service, also one that tool code has locked. Links above it are the operator's and followed, a link in its place
   * is not.
   */
  static async hold(path: string, addressing: Addressing = systemAddressing): Promise<HeldFolder> {
    const handle = await openOrUnlock(path, addressing);
    try {
      return new HeldFolder(handle, await realpath(path), addressing);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Holds a folder like `hold`. If it is missing, it and its parents are created, owned by the user of the sandbox. */
  static async holdOrMake(path: string, addressing: Addressing = systemAddressing): Promise<HeldFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const folder = await HeldFolder.hold(path, addressing);
    await folder.#giveToSandbox();
    return folder;
  }

  /** Valid while the folder is held. */
  get descriptor(): number {
    return this.#handle.fd;
  }

  get #base(): string {
    return this.#addressing === 'descriptor' ? `/proc/self/fd/${this.#handle.fd}` : this.#path;
  }

  /** A path to one entry; valid while the folder is held. */
  at(name: string): string {
    return `${this.#base}/${name}`;
  }

  /** A path to an entry whose name need not be valid UTF-8; valid while the folder is held. */
  atBytes(name: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${this.#base}/`), name]);
  }

  /** Throws if the folder's path no longer leads to it. Does nothing if entries are accessed by descriptor. */
  async confirm(): Promise<void> {
    if (this.#addressing === 'descriptor') return;
    const [real, there, here] = await Promise.all([realpath(this.#path), stat(this.#path), this.#handle.stat()]);
    if (real === this.#path && there.ino === here.ino && there.dev === here.dev) return;
    throw new Fault('conflict', 'path: a parent folder was replaced meanwhile. Try again.', { detail: this.#path });
  }

  /** Holds a folder inside this one, also one that tool code has locked. Fails with ENOTDIR or ELOOP if the name is a link. */
  async enter(name: string): Promise<HeldFolder> {
    const handle = await openOrUnlock(this.at(name), this.#addressing);
    const folder = new HeldFolder(handle, join(this.#path, name), this.#addressing);
    try {
      await folder.confirm();
      return folder;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Enters a subfolder and holds it; creates it if it is missing, lasting unless it may be lost in a crash. */
  async enterOrMake(name: string, fate: 'lasting' | 'lost in a crash' = 'lasting'): Promise<HeldFolder> {
    await this.confirm();
    try {
      await mkdir(this.at(name), { mode: 0o755 });
      if (fate === 'lasting') await this.sync();
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
    const folder = await this.enter(name);
    await folder.#giveToSandbox();
    return folder;
  }

  /** Tool code must be able to change what we create, because the workspace belongs to it. */
  async #giveToSandbox(): Promise<void> {
    if (sandboxUser && (await this.#handle.stat()).uid !== sandboxUser.uid) {
      await this.#handle.chown(sandboxUser.uid, sandboxUser.gid);
    }
  }

  /** The names of at most `limit` entries, unordered. */
  async entries(limit: number): Promise<Dirent<Buffer>[]> {
    await this.confirm();
    const found: Dirent<Buffer>[] = [];
    // Node's types know the `buffer` encoding of readdir only; opendir has it too, and stops early.
    const folder = (await opendir(this.#base, { encoding: 'buffer' as 'utf8' })) as unknown as AsyncIterable<Dirent<Buffer>>;
    for await (const entry of folder) {
      found.push(entry);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Makes a folder inside this one accessible to us, whatever tool code did to its mode. */
  async unlock(name: string): Promise<void> {
    await this.confirm();
    await unlockFolder(this.at(name), this.#addressing);
  }

  /**
   * Opens a file inside this folder for reading, also one that tool code has locked, whose mode stays. Never through a link, and never
   * waiting for the other end of a pipe.
   */
  async openFile(name: string): Promise<FileHandle> {
    try {
      return await open(this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      if (systemErrorCode(error) !== 'EACCES' || this.#addressing === 'path') throw error;
      return await insteadOf(error, () => this.#openLocked(name, error));
    }
  }

  async #openLocked(name: string, refusal: unknown): Promise<FileHandle> {
    await using entry = await open(this.at(name), O_PATH | O_NOFOLLOW);
    const found = await entry.stat();
    if (!found.isFile()) throw refusal;
    const path = `/proc/self/fd/${entry.fd}`;
    await chmod(path, (found.mode & 0o777) | 0o400);
    try {
      return await open(path, O_RDONLY);
    } finally {
      await chmod(path, found.mode & 0o777);
    }
  }

  /** Sets the permissions of the folder, and when it was changed last (seconds since the epoch; null leaves that). */
  async setFacts(mode: number, changedAt: number | null): Promise<void> {
    if (changedAt !== null) await this.#handle.utimes(changedAt, changedAt);
    await this.#handle.chmod(mode & 0o777);
  }

  /** Makes renames and new entries durable. */
  sync(): Promise<void> {
    return this.#handle.sync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}
