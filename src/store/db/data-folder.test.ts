import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Child } from '../../../test/support/process/child.ts';
import { compiledCode } from '../../../test/support/process/compiled-code.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { createTasks, tasksOfA1 } from '../../../test/support/db/store-samples.ts';
import { systemClock } from '@errand/base/clock.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { listTasks } from '../tasks/task-list.ts';
import { lockDataFolder } from './data-folder.ts';
import { openSqlite } from '../sqlite-open.ts';

const processFile = fileURLToPath(new URL('../../../test/support/db/store-process.ts', import.meta.url));

function startProcess(folder: string): Promise<Child> {
  return Child.start(process.execPath, [processFile, folder], { env: compiledCode, cwd: folder });
}

/** Every file of a folder with the digest of its bytes, except the index that SQLite rebuilds from its log each time. */
function readFolder(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String).toSorted();
  const files = names.filter((name) => !name.endsWith('-shm') && statSync(path.join(folder, name)).isFile());
  return new Map(files.map((name) => [name, digestSecret(readFileSync(path.join(folder, name), 'latin1'))]));
}

let template: string | undefined;

/** A store with one task in it, closed. */
async function makeStore(): Promise<string> {
  if (template === undefined) {
    template = createFolder('data');
    await useStore(template, (database) => createTasks(database, 'a1', 1));
  }
  return copyFolder(template);
}

/** The files of a folder as a crash would leave them, without the index that SQLite rebuilds from its log. */
function copyFolder(folder: string): string {
  const copy = createFolder('data');
  for (const name of readdirSync(folder))
    if (!name.endsWith('-shm')) copyFileSync(path.join(folder, name), path.join(copy, name));
  return copy;
}

async function useStore<Result>(
  folder: string,
  use: (database: Awaited<ReturnType<typeof openSqlite>>) => Promise<Result>,
): Promise<Result> {
  const database = await openSqlite(folder, systemClock);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

const everything = { ...tasksOfA1, limit: 100 };
const countTasks = (folder: string) => useStore(folder, async (database) => (await database.run(listTasks, everything)).length);

/** Why a folder is not opened; it must be unchanged afterwards. */
async function refuse(folder: string): Promise<string> {
  const before = readFolder(folder);
  const refusal = await openSqlite(folder, systemClock).then(
    async (database) => database.close(),
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(StartFault);
  expect((refusal as Error).message).toMatch(/^ERRAND_DATA_DIR: /);
  expect(readFolder(folder)).toEqual(before);
  return (refusal as Error).message;
}

/** The file as left by a process that wrote to it and never closed it. */
function copyUnclosed(folder: string, change: (database: DatabaseSync) => void): string {
  const database = new DatabaseSync(path.join(folder, 'errand.db'));
  change(database);
  const copy = copyFolder(folder);
  database.close();
  return copy;
}

describe('a data folder', () => {
  it('keeps its database files from other users of the machine, in a folder that they can enter and after an upgrade', async () => {
    const folder = createFolder('data');
    chmodSync(folder, 0o755);
    const readModes = () =>
      readdirSync(folder).map((name) => `${name} ${(statSync(path.join(folder, name)).mode & 0o777).toString(8)}`);
    const whileOpen = ['errand.db 600', 'errand.db-shm 600', 'errand.db-wal 600', 'lock.db 600'];
    await useStore(folder, async (database) => {
      await createTasks(database, 'a1', 1);
      expect(readModes()).toEqual(expect.arrayContaining(whileOpen));
    });
    for (const name of readdirSync(folder)) chmodSync(path.join(folder, name), 0o644);
    await useStore(folder, async (database) => {
      await createTasks(database, 'a1', 1);
      expect(readModes()).toEqual(expect.arrayContaining(whileOpen));
    });
    expect(readModes().filter((file) => !file.endsWith(' 600'))).toEqual([]);
  });

  it('is locked by a file that other users of the machine cannot read, also before its first database', () => {
    const folder = createFolder('data');
    chmodSync(folder, 0o755);
    const lock = lockDataFolder(folder);
    const modes = readdirSync(folder).map((name) => (statSync(path.join(folder, name)).mode & 0o777).toString(8));
    expect(new Set(modes)).toEqual(new Set(['600']));
    lock.release();
  });

  it('is created if missing, accessible by its owner only', async () => {
    const folder = path.join(createFolder('data'), 'new', 'er');
    expect(await countTasks(folder)).toBe(0);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is opened again with everything in it', async () => {
    const folder = await makeStore();
    expect(await countTasks(folder)).toBe(1);
    mkdirSync(path.join(folder, 'workspaces'));
    expect(await countTasks(folder)).toBe(1);
  });

  it('that contains foreign files is left unchanged', async () => {
    const folder = createFolder('data');
    writeFileSync(path.join(folder, 'letters.txt'), 'Dear');
    expect(await refuse(folder)).toMatch(/holds letters\.txt but no errand\.db; choose an empty folder/);
  });

  it('whose database is missing or empty is left unchanged, because the rest of a store is still in it', async () => {
    const folder = createFolder('data');
    mkdirSync(path.join(folder, 'workspaces'));
    writeFileSync(path.join(folder, 'errand.db'), '');
    expect(await refuse(folder)).toMatch(/holds workspaces but no errand\.db/);
  });

  it('with a file that is not a database is left unchanged', async () => {
    const folder = createFolder('data');
    writeFileSync(
      path.join(folder, 'errand.db'),
      'SQLite format 2, or just some text that is long enough for a header'.repeat(20),
    );
    expect(await refuse(folder)).toMatch(/is not a database of errand/);
    writeFileSync(path.join(folder, 'errand.db'), 'x');
    expect(await refuse(folder)).toMatch(/is not a database of errand/);
  });

  it("with another program's database is left unchanged, whether that runs, has crashed or has ended", async () => {
    const folder = createFolder('data');
    const file = path.join(folder, 'errand.db');
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE notes (text TEXT)');
    expect(await refuse(folder)).toMatch(/belongs to another program/);
    other.exec('PRAGMA journal_mode = WAL; PRAGMA application_id = 7; INSERT INTO notes VALUES (1)');
    expect(await refuse(folder)).toMatch(/belongs to another program/);
    const crashed = copyUnclosed(folder, (database) => database.exec('INSERT INTO notes VALUES (2)'));
    expect(await refuse(crashed)).toMatch(/belongs to another program/);
    other.close();
  });

  it.each([4096 * 3, 4096 + 7, 511, 99, 17])('whose database was truncated to %i bytes is left unchanged', async (bytes) => {
    const folder = await makeStore();
    truncateSync(path.join(folder, 'errand.db'), bytes);
    expect(await refuse(folder)).toMatch(/is damaged \(cut short\); restore .* from a backup/);
  });

  it('whose database is damaged inside is left unchanged, also with a pending write-ahead log', async () => {
    const damage = (folder: string) => {
      const file = path.join(folder, 'errand.db');
      const bytes = readFileSync(file);
      bytes.fill(0x5a, 4096 * 2, 4096 * 9);
      writeFileSync(file, bytes);
      return folder;
    };
    expect(await refuse(damage(await makeStore()))).toMatch(/is damaged|cannot use/);
    const unclosed = copyUnclosed(await makeStore(), (database) => database.exec("UPDATE tasks SET title = 'new'"));
    expect(await refuse(damage(unclosed))).toMatch(/is damaged|cannot use/);
  });

  it.each([
    [
      'of a newer version',
      'UPDATE schema_migrations SET version = 9000 + version',
      /schema version 900\d, which this version of errand does not know/,
    ],
    ['of another program of this name', "UPDATE schema_migrations SET digest = 'x'", /another text of migration 0001_core\.sql/],
  ])('with a database %s is left alone', async (_, change, message) => {
    const folder = await makeStore();
    expect(await refuse(copyUnclosed(folder, (database) => database.exec(change)))).toMatch(message);
    expect(await refuse(folder)).toMatch(message);
  });

  it('is intact after a crash of its process', async () => {
    const folder = copyUnclosed(await makeStore(), (database) => database.exec("UPDATE tasks SET title = 'new'"));
    expect(statSync(path.join(folder, 'errand.db-wal')).size).toBeGreaterThan(0);
    const [task] = await useStore(folder, (database) => database.run(listTasks, everything));
    expect(task?.title).toBe('new');
  });

  it('belongs to one process at a time, and to the next as soon as that is dead', async () => {
    const folder = createFolder('data');
    const first = await startProcess(folder);
    await first.waitForLine(({ text }) => text === 'open');
    await expect(openSqlite(folder, systemClock)).rejects.toThrow(
      `ERRAND_DATA_DIR: another errand process is using ${folder}; stop it`,
    );
    const second = await startProcess(folder);
    await second.waitForLine(({ text }) => text.includes('another errand process is using'));
    await second.ended;
    first.signal('SIGKILL');
    await first.ended;
    expect(await countTasks(folder)).toBe(0);
  });

  it('belongs to one store of a process at a time', async () => {
    const folder = await makeStore();
    const database = await openSqlite(folder, systemClock);
    await expect(openSqlite(folder, systemClock)).rejects.toThrow('another errand process is using');
    await Promise.all([database.close(), database.close()]);
    await database.close();
    expect(await countTasks(folder)).toBe(1);
  });

  it('is usable after its first start was killed at any point', async () => {
    const folder = createFolder('data');
    const snapshots = new Map<string, string>();
    const saveSnapshot = () => {
      const copy = copyFolder(folder);
      snapshots.set(JSON.stringify([...readFolder(copy)]), copy);
    };
    const { exec, prepare } = DatabaseSync.prototype;
    DatabaseSync.prototype.exec = function watchedExec(text) {
      saveSnapshot();
      exec.call(this, text);
    };
    DatabaseSync.prototype.prepare = function watchedPrepare(text) {
      saveSnapshot();
      return prepare.call(this, text);
    };
    try {
      const database = await openSqlite(folder, systemClock);
      saveSnapshot();
      await database.close();
    } finally {
      Object.assign(DatabaseSync.prototype, { exec, prepare });
    }
    expect(snapshots.size).toBeGreaterThan(5);
    for (const snapshot of snapshots.values()) expect(await countTasks(snapshot)).toBe(0);
  });

  it('is usable after a kill during the first write', async () => {
    const folder = createFolder('data');
    writeFileSync(path.join(folder, 'lock.db'), '');
    writeFileSync(path.join(folder, 'errand.db'), '');
    writeFileSync(path.join(folder, 'errand.db-journal'), Buffer.alloc(512));
    expect(await countTasks(folder)).toBe(0);
  });

  it('reports in one line why it cannot be used', async () => {
    const folder = createFolder('data');
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    await expect(openSqlite(file, systemClock)).rejects.toThrow(/^ERRAND_DATA_DIR: cannot use /);
    mkdirSync(path.join(folder, 'data', 'errand.db'), { recursive: true });
    await expect(openSqlite(path.join(folder, 'data'), systemClock)).rejects.toThrow(/^ERRAND_DATA_DIR: /);
    expect(existsSync(path.join(folder, 'data', 'lock.db'))).toBe(false);
  });
});
