import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Clock, pause } from '@errand/base/clock.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { CommandFault } from '../exit-code.ts';
import type { Shell } from '../shell.ts';

const signIn = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
  /** Unix time in seconds. */
  expires_at: z.number(),
});

/** The tokens that `errand login` got from one instance. */
export type SignIn = z.infer<typeof signIn>;

/** A lock is held for one exchange at most; an older one was left by a process that crashed. */
const lockTimeoutMs = 30_000;
const pollIntervalMs = 100;

/** The file that holds the sign-in at one instance: readable only by its owner, and replaced as a whole. */
export class SignInFile {
  readonly path: string;
  readonly #clock: Clock;

  /** @param url of the instance, as the settings read it */
  constructor({ config, clock }: Pick<Shell, 'config' | 'clock'>, url: string) {
    if (config.userFolder === null)
      throw new CommandFault('there is no home folder to store the sign-in in: set HOME, or use ERRAND_API_KEY');
    this.path = join(config.userFolder, 'sign-ins', `${encodeURIComponent(url)}.json`);
    this.#clock = clock;
  }

  /** Null if nobody is signed in. */
  read(): SignIn | null {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    if (!stats) return null;
    if ((stats.mode & 0o077) !== 0) {
      throw new CommandFault(
        `${this.path} can be read by others: run errand login again, or chmod it to 600 if nobody has read it`,
      );
    }
    try {
      return signIn.parse(JSON.parse(readFileSync(this.path, 'utf8')));
    } catch {
      throw new CommandFault(`${this.path} is damaged: run errand login again`);
    }
  }

  /** The file is complete at any moment, and private from its first byte. */
  write(value: SignIn): void {
    const folder = dirname(this.path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = `${this.path}.new`;
    rmSync(draft, { force: true });
    const file = openSync(draft, 'wx', 0o600);
    try {
      // The mask of the process may have taken bits away.
      chmodSync(draft, 0o600);
      writeSync(file, `${JSON.stringify(value)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, this.path);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  /** Locks out other commands. A refresh token works once: a second command that used it later would end the sign-in. */
  async locked<Result>(work: () => Promise<Result>): Promise<Result> {
    const lock = `${this.path}.lock`;
    const mark = randomBase62(22);
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
    while (!this.#tryLock(lock, mark)) await pause(this.#clock, pollIntervalMs);
    try {
      return await work();
    } finally {
      if (readMark(lock) === mark) rmSync(lock, { force: true });
    }
  }

  /**
   * A lock that was left behind is overwritten and held if the mark is still there at the next look: of several commands that
   * overwrite it at the same moment, the last one has it.
   */
  #tryLock(lock: string, mark: string): boolean {
    try {
      writeFileSync(lock, mark, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const stats = statSync(lock, { throwIfNoEntry: false });
    if (stats && this.#clock.now() - stats.mtimeMs > lockTimeoutMs) {
      writeFileSync(lock, mark);
      return false;
    }
    return readMark(lock) === mark;
  }
}

function readMark(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return null;
  }
}
