import { Client } from 'pg';
import { chownSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { Child } from '../process/child.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import { identity } from './postgres-programs.ts';

const program = '/usr/sbin/pgbouncer';

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  return address.port;
}

/** PgBouncer, from Debian's package, in transaction mode before one database server. */
export class Pooler {
  readonly #folder: string;
  readonly #child: Child;
  readonly #port: number;
  readonly #console: string;

  private constructor(folder: string, child: Child, port: number, serverUrl: string) {
    this.#folder = folder;
    this.#child = child;
    this.#port = port;
    const url = new URL(this.through(serverUrl));
    url.pathname = '/pgbouncer';
    this.#console = url.href;
  }

  /**
   * Leads all databases of a server through a few sessions each.
   * @param serverUrl with the user and password that clients of the pooler have, too
   */
  static async start(serverUrl: string, sessions: number): Promise<Pooler> {
    const { hostname, port: serverPort, username, password } = new URL(serverUrl);
    const folder = createFolder('pooler');
    const port = await findFreePort();
    const users = path.join(folder, 'users');
    const settings = path.join(folder, 'pgbouncer.ini');
    writeFileSync(users, `"${username}" "${password}"\n`);
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      ...['pool_mode = transaction', `default_pool_size = ${sessions}`, 'max_client_conn = 500', 'auth_type = plain'],
      ...[
        `auth_file = ${users}`,
        `admin_users = ${username}`,
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
      ],
    ];
    writeFileSync(settings, `${lines.join('\n')}\n`);
    if (identity) for (const file of [folder, users, settings]) chownSync(file, identity.uid, identity.gid);
    const child = await Child.start(program, [settings], { env: {}, cwd: folder, ...(identity && { identity }) });
    await child.waitForLine(({ text }) => text.includes('process up'));
    return new Pooler(folder, child, port, serverUrl);
  }

  /** The URL of a database through the pooler. */
  through(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String(this.#port);
    return url.href;
  }

  /** How many sessions it has on the server. */
  async countSessions(): Promise<number> {
    const client = new Client({ connectionString: this.#console });
    await client.connect();
    try {
      return (await client.query('SHOW SERVERS')).rows.length;
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.signal('SIGKILL');
    await this.#child.ended;
    removeFolder(this.#folder);
  }
}
