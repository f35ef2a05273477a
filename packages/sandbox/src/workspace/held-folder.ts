import { type Dirent, constants, existsSync } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@errand/base/fault.ts';
import { systemErrorCode } from './file-fault.ts';
import { sandboxUser } from './sandbox-user.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/** Linux's O_PATH, which Node does not name: a descriptor that needs no permission on its target. */
const O_PATH = 0o10000000;

/**
 * How an entry of a held folder is accessed. `descriptor`: through /proc/self/fd, so that whatever happens to its parents meanwhile, the
 * entry is one of exactly this folder (like openat). `path`: by path, for systems without /proc (macOS); `confirm` then checks that the
 * path still leads here, which leaves a window between check and use.
 */
export type Addressing = 'descriptor' | 'path';

const systemAddressing: Addressing = existsSync('/proc/self/fd') ? 'descriptor' : 'path';

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

  /** Holds a folder of the service. Links above it are the operator's and followed, a link in its place is not. */
  static async hold(path: string, addressing: Addressing = systemAddressing): Promise<HeldFolder> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      return new HeldFolder(handle, await realpath(path), addressing);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The same, creating it and its parents if missing, owned by the user of the sandbox. */
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

  /** The same for a name that need not be valid UTF-8. */
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

  /** Holds a folder inside this one. Fails with ENOTDIR or ELOOP if the name is a link. */
  async enter(name: string): Promise<HeldFolder> {
    const handle = await open(this.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const folder = new HeldFolder(handle, join(this.#path, name), this.#addressing);
    try {
      await folder.confirm();
      return folder;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The same, creating the folder if missing. */
  async enterOrMake(name: string): Promise<HeldFolder> {
    await this.confirm();
    try {
      await mkdir(this.at(name), { mode: 0o755 });
      await this.sync();
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

  /** At most `limit` entries, unordered. */
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
    if (this.#addressing === 'path') {
      await this.confirm();
      return chmod(this.at(name), 0o700);
    }
    await using entry = await open(this.at(name), O_PATH | O_DIRECTORY | O_NOFOLLOW);
    await chmod(`/proc/self/fd/${entry.fd}`, 0o700);
  }

  /** Makes renames and new entries durable. */
  sync(): Promise<void> {
    return this.#handle.sync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}
