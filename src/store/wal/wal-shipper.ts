import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { findCommitted, openWal } from './wal-frames.ts';
import { baseFile, startOfGeneration, WalGeneration } from './wal-generation.ts';

/** Marks a folder as a target of shipping. */
export const markFile = 'errand-wal.json';

const usualLogBytes = 16 * 1024 * 1024;
const dayMs = 24 * 3_600_000;
/** How far back the database can be restored to any moment. */
const keptMs = 2 * dayMs;
const retryMs = 30_000;

/** What the shipper asks of the connection that writes. */
export interface ShippedDatabase {
  file: string;
  /** Merges the log into the file without waiting for readers; after all of it, the next write begins a new log. */
  checkpoint(): void;
  /** Number of pages after which SQLite merges the log automatically; 0 for never. */
  mergeAfter(pages: number): void;
}

/** The log of a connection that merges automatically, in pages. */
const usualPages = 4000;

export interface ShipperOptions {
  /** The folder that the log is copied to. */
  target: string;
  clock: Pick<Clock, 'now'>;
  /** Called once when shipping fails, and with null when it works again. */
  report(problem: string | null): void;
  /** Size at which the log is merged. */
  logBytes?: number;
}

/**
 * Copies the write-ahead log of the embedded database to another disk as it grows, so that a lost machine loses no more than the time
 * between two calls of `ship`. Runs in the thread that writes, between two of its batches: what it finds is committed, and nothing is
 * merged that was not copied.
 */
export class WalShipper {
  readonly #database: ShippedDatabase;
  readonly #options: ShipperOptions;
  /** The one that counts and, while its copy of the database is being made, the next one. */
  #generations: WalGeneration[] = [];
  #isCopying = false;
  #salt: string | null = null;
  #shipped = 0;
  #retryAtMs = 0;
  #isBroken = false;

  constructor(database: ShippedDatabase, options: ShipperOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Copies what was committed since the last call. Never throws: a database works without its copy. */
  ship(): void {
    const now = this.#options.clock.now();
    try {
      if (this.#generations.length === 0) {
        if (now < this.#retryAtMs) return;
        this.#start(now);
      }
      this.#copyLog(now);
      if (this.#shipped >= (this.#options.logBytes ?? usualLogBytes) && !this.#isCopying) this.#merge(now);
      if (this.#isBroken) this.#options.report(null);
      this.#isBroken = false;
    } catch (error) {
      this.#giveUp(now, error);
    }
  }

  close(): void {
    this.ship();
    for (const generation of this.#generations) generation.close();
    this.#generations = [];
  }

  #giveUp(now: number, error: unknown): void {
    for (const generation of this.#generations) generation.close();
    this.#generations = [];
    this.#retryAtMs = now + retryMs;
    // Without a copy, the log must not grow forever.
    this.#database.mergeAfter(usualPages);
    if (!this.#isBroken) this.#options.report((error as Error).message);
    this.#isBroken = true;
  }

  /** A first generation. Its copy of the database is made at once, so that from here on everything can be restored. */
  #start(now: number): void {
    const { target } = this.#options;
    mkdirSync(target, { recursive: true, mode: 0o700 });
    writeFileSync(join(target, markFile), JSON.stringify({ format: 1 }));
    this.#database.mergeAfter(0);
    this.#database.checkpoint();
    const generation = new WalGeneration(target, now);
    copyFileSync(this.#database.file, join(generation.folder, `${baseFile}.part`), constants.COPYFILE_FICLONE);
    renameSync(join(generation.folder, `${baseFile}.part`), join(generation.folder, baseFile));
    [this.#generations, this.#salt, this.#shipped] = [[generation], null, 0];
    this.#prune(now);
  }

  #copyLog(now: number): void {
    const log = openWal(this.#database.file);
    if (!log) return;
    try {
      const found = findCommitted(log.descriptor, this.#shipped, this.#salt);
      if (!found || found.end === found.from) return;
      for (const generation of this.#generations) {
        if (found.isRestarted) generation.begin();
        generation.append(log.descriptor, found.from, found.end, now);
      }
      [this.#salt, this.#shipped] = [found.salt, found.end];
    } finally {
      log.close();
    }
  }

  #merge(now: number): void {
    this.#database.checkpoint();
    const [current] = this.#generations;
    if (current && now - current.startedAtMs >= dayMs) this.#renew(now);
  }

  /**
   * A new generation each day, so that the copies do not grow forever. The file does not change while it is copied, because nothing is
   * merged then; until it is whole, both generations get the log.
   */
  #renew(now: number): void {
    const next = new WalGeneration(this.#options.target, now);
    // A reader may have kept some of the log from being merged.
    const log = openWal(this.#database.file);
    if (log && this.#shipped > 0) next.append(log.descriptor, 0, this.#shipped, now);
    log?.close();
    this.#generations.push(next);
    this.#isCopying = true;
    void this.#finish(next, now);
  }

  async #finish(next: WalGeneration, now: number): Promise<void> {
    try {
      const part = join(next.folder, `${baseFile}.part`);
      await copyFile(this.#database.file, part, constants.COPYFILE_FICLONE);
      renameSync(part, join(next.folder, baseFile));
      const [old, other] = this.#generations;
      if (other === next) {
        old?.close();
        this.#generations = [next];
      }
      this.#prune(now);
    } catch (error) {
      this.#giveUp(now, error);
    } finally {
      this.#isCopying = false;
    }
  }

  /** Removes generations that no moment of the kept time needs: a later whole one began before it. */
  #prune(now: number): void {
    const { target } = this.#options;
    const whole = readdirSync(target)
      .flatMap((name) => {
        const startedAtMs = startOfGeneration(name);
        return startedAtMs === null ? [] : [{ name, startedAtMs }];
      })
      .filter(({ name }) => existsSync(join(target, name, baseFile)) && statSync(join(target, name)).isDirectory())
      .toSorted((one, other) => one.startedAtMs - other.startedAtMs);
    const oldest = whole.findLastIndex(({ startedAtMs }) => startedAtMs <= now - keptMs);
    for (const { name } of whole.slice(0, Math.max(0, oldest))) rmSync(join(target, name), { recursive: true });
  }
}
