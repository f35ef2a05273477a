import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Child } from '../process/child.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import { findFastFolder } from './fast-folder.ts';
import { findPrograms, identity, type PostgresPrograms } from './postgres-programs.ts';

export interface PostgresOptions {
  /** Durable on power failure, as in production. Without it, faster and in memory if there is enough, for tests without crashes. */
  isDurable?: boolean;
  /** Further server settings, as in postgresql.conf. */
  settings?: Record<string, string>;
}

const user = 'errand';
const portTries = 5;

const ownSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  lc_messages: 'C',
  // In its own folder, because files elsewhere are left behind when the server is killed.
  dynamic_shared_memory_type: 'mmap',
};
const hastySettings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '128MB' };

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  return address.port;
}

/** The child processes of a server, where the system lists them (Linux). */
function listChildren(pid: number): number[] {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return pids.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * A PostgreSQL server for one test, on a free port of 127.0.0.1, in a temporary folder. It sorts text with English collation, not bytewise,
 * so that a query without explicit collation fails tests.
 */
export class PostgresServer {
  readonly #programs: PostgresPrograms;
  readonly #folder: string;
  readonly #password = randomBytes(12).toString('hex');
  readonly #settings: Record<string, string>;
  #port = 0;
  #child: Child | null = null;

  private constructor(programs: PostgresPrograms, { isDurable = true, settings = {} }: PostgresOptions) {
    this.#programs = programs;
    this.#folder = createFolder('postgres', isDurable ? tmpdir() : findFastFolder());
    this.#settings = { ...ownSettings, ...(!isDurable && hastySettings), ...settings };
  }

  /** A running server with an empty cluster. */
  static async start(options: PostgresOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(await findPrograms(), options);
    try {
      await server.#initialise();
      await server.#run();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** URL for a superuser; the same before and after a restart. */
  get url(): string {
    return `postgresql://${user}:${this.#password}@127.0.0.1:${this.#port}/postgres`;
  }

  /** Simulates a power failure: kills all its processes at once, without flushing. Resolves when none is left. */
  async kill(): Promise<void> {
    if (!this.#child) return;
    const { pid, ended } = this.#child;
    for (const victim of [pid, ...listChildren(pid)]) killNow(victim);
    await ended;
    this.#child = null;
  }

  /** Restarts on the same files and port, after `kill` or instead of it. Resolves when recovery is done. */
  async restart(): Promise<void> {
    await this.kill();
    await this.#run();
  }

  /** Stops it immediately and deletes its files. */
  async stop(): Promise<void> {
    this.#child?.signal('SIGQUIT');
    await this.#child?.ended;
    removeFolder(this.#folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  get #dataFolder(): string {
    return path.join(this.#folder, 'data');
  }

  async #initialise(): Promise<void> {
    const passwordFile = path.join(this.#folder, 'password');
    writeFileSync(passwordFile, this.#password);
    if (identity) for (const file of [this.#folder, passwordFile]) chownSync(file, identity.uid, identity.gid);
    const flags = [
      '--no-sync',
      '--no-instructions',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=icu',
      '--icu-locale=en-US',
    ];
    const access = [`--username=${user}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const child = await this.#start(this.#programs.initdb, [`--pgdata=${this.#dataFolder}`, ...flags, ...access]);
    const { code } = await child.ended;
    if (code !== 0) throw new Error(`initdb failed:\n${child.lines.map(({ text }) => text).join('\n')}`);
  }

  async #run(): Promise<void> {
    const isFirst = this.#port === 0;
    for (let tries = isFirst ? portTries : 1; ; tries--) {
      if (isFirst) this.#port = await findFreePort();
      const settings = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      this.#child = await this.#start(this.#programs.postgres, ['-D', this.#dataFolder, '-p', String(this.#port), ...settings]);
      try {
        await this.#child.waitForLine(({ text }) => text.includes('database system is ready to accept connections'));
        return;
      } catch (error) {
        const hasLostPort = this.#child.lines.some(({ text }) => text.includes('could not bind'));
        if (!hasLostPort || tries <= 1) throw error;
      }
    }
  }

  #start(program: string, args: readonly string[]): Promise<Child> {
    return Child.start(program, args, { env: { LC_ALL: 'C', TZ: 'UTC' }, cwd: this.#folder, ...(identity && { identity }) });
  }
}
