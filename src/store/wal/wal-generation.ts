import { closeSync, fdatasyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the copy of the database with which a generation begins; written under another name until it is whole. */
export const baseFile = 'base.db';

const chunkBytes = 1024 * 1024;

/** `20261126T160000123Z`: sorts by time. */
function generationName(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/[-:.]/g, '');
}

/** When a generation began; null for a folder that is none. */
export function startOfGeneration(name: string): number | null {
  const [, date, hour, minute, second, ms] = /^(\d{8})T(\d{2})(\d{2})(\d{2})(\d{3})Z$/.exec(name) ?? [];
  if (date === undefined) return null;
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
}

/** `00000003`: the part of the log between two restarts. */
function partName(part: number): string {
  return String(part).padStart(8, '0');
}

/** A copy of the database, and all of its log since. Every part of the log has a file, and an index of how long it was when. */
export class WalGeneration {
  readonly folder: string;
  readonly startedAtMs: number;
  #part = -1;
  #log: number | null = null;
  #index: number | null = null;

  constructor(target: string, startedAtMs: number) {
    this.startedAtMs = startedAtMs;
    this.folder = join(target, generationName(startedAtMs));
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** The log was restarted: what follows belongs to its next part. */
  begin(): void {
    this.close();
    this.#part += 1;
    this.#log = openSync(join(this.folder, `${partName(this.#part)}.wal`), 'a', 0o600);
    this.#index = openSync(join(this.folder, `${partName(this.#part)}.index`), 'a', 0o600);
  }

  /** Appends bytes of the log, and returns when they are on disk. */
  append(source: number, from: number, end: number, nowMs: number): void {
    if (this.#log === null || this.#index === null) this.begin();
    const [log, index] = [this.#log, this.#index];
    if (log === null || index === null) throw new Error('the part has no files');
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - from));
    for (let at = from; at < end; ) {
      const count = readSync(source, buffer, 0, Math.min(buffer.length, end - at), at);
      if (count === 0) throw new Error('the write-ahead log was cut short');
      writeSync(log, buffer, 0, count);
      at += count;
    }
    fdatasyncSync(log);
    writeSync(index, `${nowMs} ${end}\n`);
    fdatasyncSync(index);
  }

  close(): void {
    for (const descriptor of [this.#log, this.#index]) if (descriptor !== null) closeSync(descriptor);
    [this.#log, this.#index] = [null, null];
  }
}
