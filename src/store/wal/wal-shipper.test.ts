import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { databaseFile } from '../db/data-folder.ts';
import { restoreShipped } from './wal-restore.ts';
import { WalShipper } from './wal-shipper.ts';

const secondMs = 1000;
const dayMs = 24 * 3_600_000;

/** A database whose log is shipped, and a clock that the test sets. */
class Shipped {
  readonly target = createFolder('wal');
  readonly folder = createFolder('data');
  readonly file = join(this.folder, databaseFile);
  readonly database = new DatabaseSync(this.file);
  readonly problems: (string | null)[] = [];
  now = Date.UTC(2026, 0, 1);
  merges = 0;
  readonly shipper: WalShipper;

  constructor(logBytes = 40_000) {
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = 10');
    this.database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    const hooks = {
      file: this.file,
      checkpoint: () => {
        this.merges += 1;
        this.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      },
      mergeAfter: (pages: number) => this.database.exec(`PRAGMA wal_autocheckpoint = ${pages}`),
    };
    const clock = { now: () => this.now };
    this.shipper = new WalShipper(hooks, {
      target: this.target,
      clock,
      report: (problem) => this.problems.push(problem),
      logBytes,
    });
    this.shipper.ship();
  }

  write(count: number, text = 'x'.repeat(500)): void {
    this.database.exec('BEGIN');
    const insert = this.database.prepare('INSERT INTO notes (text) VALUES (?)');
    for (let at = 0; at < count; at++) insert.run(text);
    this.database.exec('COMMIT');
  }

  async restore(untilMs = this.now): Promise<{ count: number; sum: string; atMs: number; mode: number }> {
    const folder = createFolder('restored');
    const { atMs } = await restoreShipped(this.target, folder, untilMs);
    const mode = statSync(join(folder, databaseFile)).mode & 0o777;
    const database = new DatabaseSync(join(folder, databaseFile));
    try {
      return { count: countOf(database), sum: sumOf(database), atMs, mode };
    } finally {
      database.close();
    }
  }
}

function countOf(database: DatabaseSync): number {
  return Number(Object.values(database.prepare('SELECT COUNT(*) FROM notes').get() ?? {})[0]);
}

function sumOf(database: DatabaseSync): string {
  return String(Object.values(database.prepare('SELECT TOTAL(id) || TOTAL(LENGTH(text)) FROM notes').get() ?? {})[0]);
}

let shipped: Shipped;
afterEach(() => shipped.database.close());

describe('the copied write-ahead log', () => {
  it('restores everything that was committed before the last copy, over many merges', async () => {
    shipped = new Shipped();
    for (let round = 0; round < 30; round++) {
      shipped.write(1 + (round % 7) * 20);
      shipped.now += secondMs;
      shipped.shipper.ship();
    }
    expect(shipped.merges).toBeGreaterThan(5);
    const { count, sum, atMs } = await shipped.restore();
    expect([count, sum, atMs]).toEqual([countOf(shipped.database), sumOf(shipped.database), shipped.now]);
    // Not copied yet, so not in it.
    shipped.write(1);
    expect((await shipped.restore()).count).toBe(count);
  });

  it('restores a database that only its owner can read, whatever the mode of the copy', async () => {
    shipped = new Shipped();
    chmodSync(shipped.file, 0o644);
    expect((await shipped.restore()).mode).toBe(0o600);
  });

  it('restores any moment', async () => {
    shipped = new Shipped();
    const counts: [number, number][] = [];
    for (let round = 0; round < 20; round++) {
      shipped.write(10);
      shipped.now += secondMs;
      shipped.shipper.ship();
      counts.push([shipped.now, countOf(shipped.database)]);
    }
    for (const [at, count] of counts.filter((_, index) => index % 4 === 0)) {
      expect([at, (await shipped.restore(at + 999)).count]).toEqual([at, count]);
    }
    await expect(shipped.restore(Date.UTC(2025, 0, 1))).rejects.toThrow('nothing from before 2025-01-01');
  });

  it('has nothing of transactions that were rolled back, even if their pages had reached the log', async () => {
    shipped = new Shipped();
    for (let round = 0; round < 6; round++) {
      shipped.database.exec('BEGIN');
      for (let at = 0; at < 300; at++) shipped.database.prepare('INSERT INTO notes (text) VALUES (?)').run('y'.repeat(400));
      shipped.database.exec('ROLLBACK');
      shipped.now += secondMs;
      shipped.shipper.ship();
      shipped.write(3);
      shipped.now += secondMs;
      shipped.shipper.ship();
    }
    expect((await shipped.restore()).count).toBe(18);
  });

  it('goes on while a reader keeps the log from being merged', async () => {
    shipped = new Shipped(20_000);
    const reader = new DatabaseSync(shipped.file, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM notes').get();
    for (let round = 0; round < 10; round++) {
      shipped.write(30);
      shipped.now += secondMs;
      shipped.shipper.ship();
      if (round === 6) reader.close();
    }
    expect((await shipped.restore()).count).toBe(300);
  });

  it('starts anew each day, loses nothing meanwhile, and keeps two days', async () => {
    shipped = new Shipped(1000);
    const moments: [number, number][] = [];
    for (let day = 0; day < 5; day++) {
      shipped.write(5);
      shipped.now += dayMs;
      shipped.shipper.ship();
      shipped.write(5);
      shipped.now += secondMs;
      shipped.shipper.ship();
      moments.push([shipped.now, countOf(shipped.database)]);
      const folders = () => readdirSync(shipped.target).filter((name) => existsSync(join(shipped.target, name, 'base.db.part')));
      for (let turn = 0; turn < 1000 && folders().length > 0; turn++) await new Promise((resolve) => setImmediate(resolve));
      shipped.shipper.ship();
    }
    for (const [at, count] of moments.slice(-2)) expect([at, (await shipped.restore(at)).count]).toEqual([at, count]);
    expect(readdirSync(shipped.target).filter((name) => name.endsWith('Z')).length).toBeLessThanOrEqual(4);
  });

  it('reports a target that cannot be written once, and starts anew when it can', async () => {
    shipped = new Shipped();
    shipped.write(3);
    rmSync(shipped.target, { recursive: true });
    writeFileSync(shipped.target, 'not a folder');
    shipped.shipper.close();
    for (let round = 0; round < 3; round++) {
      shipped.now += 40 * secondMs;
      shipped.write(1);
      shipped.shipper.ship();
    }
    expect(shipped.problems).toHaveLength(1);
    rmSync(shipped.target);
    mkdirSync(shipped.target);
    shipped.now += 40 * secondMs;
    shipped.shipper.ship();
    expect(shipped.problems.at(-1)).toBeNull();
    expect((await shipped.restore()).count).toBe(6);
  });
});
