import { execFile } from 'node:child_process';
import { constants, openSync, readSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchEnvironment } from '../bubblewrap/bubblewrap-launcher.ts';
import { sandboxUser } from '../workspace/sandbox-user.ts';

/** Made at once, because each time starts a program. */
const madeAtOnce = 4;
const chunkBytes = 64 * 1024;

function namesFrom(number: number): string[] {
  return Array.from({ length: madeAtOnce }, (_, index) => `c${number + index}`);
}

function pipesOf(name: string): string[] {
  return [`${name}.in`, `${name}.out`];
}

/** Named pipes in the folder of a new sandbox. */
export const firstPipes = namesFrom(1).flatMap(pipesOf);

async function give(path: string): Promise<void> {
  if (sandboxUser) await chown(path, sandboxUser.uid, sandboxUser.gid);
}

/**
 * Two named pipes between the service and a process of a persistent sandbox, which sees them read-only and can only open them: named, so that
 * programs that open /dev/stdout work.
 */
export class Channel {
  readonly name: string;
  readonly #input: Socket;
  readonly #outputFile: number;
  #output: Socket | null = null;
  #isClosed = false;

  constructor(folder: string, name: string) {
    this.name = name;
    const { O_NONBLOCK, O_RDONLY, O_RDWR, O_NOFOLLOW } = constants;
    // For both directions, because a pipe that nobody reads cannot be opened for writing alone.
    const input = openSync(join(folder, `${name}.in`), O_RDWR | O_NONBLOCK | O_NOFOLLOW);
    this.#input = new Socket({ fd: input, readable: false, writable: true });
    this.#input.on('error', () => undefined);
    this.#outputFile = openSync(join(folder, `${name}.out`), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  }

  /** Starts reading the output. Call it once the process holds the other end; before that, the output would end at once. */
  listen(receive: (chunk: Buffer) => void, onEnd: () => void): void {
    // By then the number of the descriptor may be that of another file.
    if (this.#isClosed) return;
    this.#output = new Socket({ fd: this.#outputFile, readable: true, writable: false });
    this.#output.on('data', receive).on('error', () => undefined);
    this.#output.once('close', onEnd);
  }

  /** Reads what has been written and not yet received, without waiting. */
  drain(): Buffer {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      let count = 0;
      try {
        count = this.#output?.destroyed === false ? readSync(this.#outputFile, chunk) : 0;
      } catch {
        // Nothing more for now.
      }
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
    }
  }

  write(data: string | Uint8Array): void {
    if (!this.#input.destroyed) this.#input.write(data);
  }

  /** Closes the input, so that the process finds its end. */
  endInput(): void {
    this.#input.destroySoon();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.destroy();
    // Adopting the descriptor is the way to close it without a second kind of owner.
    (this.#output ?? new Socket({ fd: this.#outputFile })).destroy();
  }
}

/** The folder through which a persistent sandbox and the service communicate: commands, and their channels. */
export class ChannelFolder {
  readonly path: string;
  readonly #free: string[];
  #made = madeAtOnce;

  private constructor(path: string) {
    this.path = path;
    this.#free = namesFrom(1);
  }

  /** The pipes of `firstPipes` are left to the launcher of the sandbox, which makes them at a fraction of the cost. */
  static async create(): Promise<ChannelFolder> {
    const folder = new ChannelFolder(await mkdtemp(join(tmpdir(), 'errand-channels-')));
    await give(folder.path);
    return folder;
  }

  async #make(): Promise<void> {
    const names = namesFrom(this.#made + 1);
    this.#made += madeAtOnce;
    const paths = names.flatMap(pipesOf).map((name) => join(this.path, name));
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths], { env: launchEnvironment });
    await Promise.all(paths.map(give));
    this.#free.push(...names);
  }

  async open(): Promise<Channel> {
    if (this.#free.length === 0) await this.#make();
    return new Channel(this.path, this.#free.shift() ?? '');
  }

  /** Reuses a channel whose other ends are closed. */
  reuse({ name }: Channel): void {
    this.#free.push(name);
  }

  async write(name: string, content: string): Promise<void> {
    const path = join(this.path, name);
    await writeFile(path, content, { mode: 0o600 });
    await give(path);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true });
  }

  async close(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
