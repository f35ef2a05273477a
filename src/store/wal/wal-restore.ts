import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFault } from '@errand/base/start-fault.ts';
import { databaseFile, lockDataFolder, makePrivate } from '../db/data-folder.ts';
import { baseFile, startOfGeneration } from './wal-generation.ts';
import { markFile } from './wal-shipper.ts';

/** Whether a folder is the target of shipping. */
export async function isShippedFolder(folder: string): Promise<boolean> {
  return stat(join(folder, markFile)).then(
    () => true,
    () => false,
  );
}

interface Generation {
  folder: string;
  startedAtMs: number;
}

async function listGenerations(source: string): Promise<Generation[]> {
  const found = (await readdir(source)).flatMap((name) => {
    const startedAtMs = startOfGeneration(name);
    return startedAtMs === null ? [] : [{ folder: join(source, name), startedAtMs }];
  });
  const whole = await Promise.all(found.map(({ folder }) => stat(join(folder, baseFile)).catch(() => null)));
  return found.filter((_, at) => whole[at] !== null).toSorted((one, other) => one.startedAtMs - other.startedAtMs);
}

/** A part of the log up to a moment. */
interface Part {
  file: string;
  bytes: number;
  /** When the last of these bytes were copied. */
  lastAtMs: number;
}

/** An entry of an index that was cut off counts for nothing. */
async function listParts(folder: string, untilMs: number): Promise<Part[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{8}\.index$/.test(name)).toSorted();
  const parts: Part[] = [];
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    const entries = [...text.matchAll(/^(\d+) (\d+)\n/gm)].map(([, at, bytes]) => ({ atMs: Number(at), bytes: Number(bytes) }));
    const last = entries.findLast(({ atMs }) => atMs <= untilMs);
    if (last) parts.push({ file: join(folder, name.replace('.index', '.wal')), bytes: last.bytes, lastAtMs: last.atMs });
    if (last !== entries.at(-1)) break;
  }
  return parts;
}

async function copyPart({ file, bytes }: Part, place: string): Promise<void> {
  await copyFile(file, place);
  const handle = await open(place, 'r+');
  try {
    await handle.truncate(bytes);
  } finally {
    await handle.close();
  }
}

/** Applies one part of a log to a database: SQLite takes over what is committed in it. */
function merge(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

function check(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const verdict = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
    if (verdict !== 'ok')
      throw new StartFault(`the restored database is damaged (${String(verdict)}); restore an earlier moment`);
  } finally {
    database.close();
  }
}

async function placeDatabase(made: string, dataDir: string): Promise<string | null> {
  const file = join(dataDir, databaseFile);
  const hadOne = await stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
  const replaced = hadOne ? join(dataDir, `${databaseFile}.before-restore`) : null;
  for (const suffix of ['', '-wal', '-shm']) {
    if (replaced === null) await rm(file + suffix, { force: true });
    else await rename(file + suffix, replaced + suffix).catch(() => undefined);
  }
  await rename(made, file);
  return replaced;
}

export interface ShippedRestore {
  /** The moment of the last change that is in it. */
  atMs: number;
  /** Where the database of before is; null if there was none. */
  replaced: string | null;
}

/** Restores the database of a data folder from a copy of its log, as it was at a moment. The service must not run. */
export async function restoreShipped(source: string, dataDir: string, untilMs: number): Promise<ShippedRestore> {
  const generation = (await listGenerations(source)).findLast(({ startedAtMs }) => startedAtMs <= untilMs);
  if (!generation) throw new StartFault(`${source} has nothing from before ${new Date(untilMs).toISOString()}`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataFolder(dataDir);
  const staged = join(dataDir, 'restoring');
  try {
    await rm(staged, { recursive: true, force: true });
    await mkdir(staged, { mode: 0o700 });
    const made = join(staged, databaseFile);
    await copyFile(join(generation.folder, baseFile), made);
    // The copy has the mode of its source, which may have been copied by hand.
    await makePrivate(made);
    const parts = await listParts(generation.folder, untilMs);
    for (const part of parts) {
      await copyPart(part, `${made}-wal`);
      merge(made);
    }
    check(made);
    const replaced = await placeDatabase(made, dataDir);
    return { atMs: parts.at(-1)?.lastAtMs ?? generation.startedAtMs, replaced };
  } finally {
    await rm(staged, { recursive: true, force: true });
    lock.release();
  }
}
