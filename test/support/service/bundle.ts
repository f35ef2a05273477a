import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@errand/base/clock.ts';
import { databaseFile } from '../../../src/store/db/data-folder.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import { migratedFile } from './data-folder.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Shared by all projects of a test run, each of which has its own instance of this module. */
const shared = globalThis as { bundledForTests?: Promise<unknown> };

/** Brings the bundle up to date with the sources. */
export async function buildBundle(): Promise<void> {
  await (shared.bundledForTests ??= promisify(execFile)(process.execPath, ['scripts/build-service.mjs', '--if-stale'], {
    cwd: checkout,
  }));
}

/** Runs once per test run and project, before the first test file; the returned function runs after the last one. */
export async function setup(): Promise<() => void> {
  await buildBundle();
  if (process.env[migratedFile] !== undefined) return () => undefined;
  const folder = createFolder('template');
  process.env[migratedFile] = join(folder, databaseFile);
  // Loaded now: before, it would start a thread of the last bundle.
  const { openSqlite } = await import('../../../src/store/sqlite-open.ts');
  await (await openSqlite(folder, systemClock)).close();
  return () => removeFolder(folder);
}
