import { type Dirent, readdirSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { askReport } from '../process/ask-report.ts';
import { listProcesses, readMemory, readParent } from '../process/process-facts.ts';

/** What a service holds at one moment. */
export interface Sample {
  minute: number;
  /** Resident memory in MB. */
  rss: number;
  /** Reachable memory of JavaScript after a collection, with buffers, in MB. */
  heap: number;
  /** Open files, pipes, and the like, without sockets. */
  files: number;
  sockets: number;
  /** What the event loop waits for: timers, sockets, threads, processes. */
  handles: number;
  threads: number;
  /** Processes that the service has started: sandboxes, browsers, and what runs in them. */
  processes: number;
  /** Files of the data folder, and PostgreSQL's database, in MB. */
  database: number;
  /** All other files of the data folder, in MB. */
  folder: number;
  /** Files and folders of the data folder, without those that blobs are spread over: they stay, and are at most 3,844 an account. */
  entries: number;
}

interface HandleReport {
  heapUsed: number;
  external: number;
  handles: string[];
}

const megabyte = 2 ** 20;

/** The folders of blobs, by the last two characters of their ids: `blobs/<instance>/<account>/xy`. */
const spread = /^blobs(?:\/[^/]+){2}\/\w{2}$/;

/** Folders that disappear meanwhile are left out; a folder counts as an entry without bytes. */
function listEntries(folder: string, below = ''): { name: string; bytes: number }[] {
  return readFolder(path.join(folder, below)).flatMap((entry) => {
    const name = path.join(below, entry.name);
    if (entry.isDirectory()) return [{ name, bytes: 0 }, ...listEntries(folder, name)];
    const stat = entry.isFile() ? statSync(path.join(folder, name), { throwIfNoEntry: false }) : undefined;
    return [{ name, bytes: stat?.size ?? 0 }];
  });
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Every process below the given one. */
function countDescendants(pid: number): number {
  const parents = new Map(listProcesses().map((id) => [id, readParent(id)]));
  const below = new Set([pid]);
  for (let grows = true; grows; ) {
    const found = [...parents].filter(([id, parent]) => below.has(parent) && !below.has(id));
    for (const [id] of found) below.add(id);
    grows = found.length > 0;
  }
  return below.size - 1;
}

function listOpen(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(path.join(folder, name))];
    } catch {
      return [];
    }
  });
}

export interface SamplerOptions {
  pid: number;
  dataDir: string;
  /** Where report-handles.ts writes. */
  reportFile: string;
  /** The size of a database that is not in the data folder, in bytes. */
  readDatabaseBytes: (() => Promise<number>) | null;
}

/** Looks at a service from outside, and asks it for its handles. */
export class Sampler {
  readonly #options: SamplerOptions;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  async take(minute: number): Promise<Sample> {
    const { pid, dataDir, reportFile, readDatabaseBytes } = this.#options;
    const { heapUsed, external, handles } = await askReport<HandleReport>(pid, reportFile);
    const open = listOpen(pid);
    const sockets = open.filter((target) => target.startsWith('socket:')).length;
    const entries = listEntries(dataDir);
    const isDatabase = ({ name }: { name: string }) => /^[^/]+\.db(-wal|-shm)?$/.test(name);
    const sum = (some: readonly { bytes: number }[]) => some.reduce((total, { bytes }) => total + bytes, 0) / megabyte;
    return {
      minute,
      rss: readMemory(pid),
      heap: (heapUsed + external) / megabyte,
      files: open.length - sockets,
      sockets,
      handles: handles.length,
      threads: readdirSync(`/proc/${pid}/task`).length,
      processes: countDescendants(pid),
      database: readDatabaseBytes ? (await readDatabaseBytes()) / megabyte : sum(entries.filter(isDatabase)),
      folder: sum(entries.filter((entry) => !isDatabase(entry))),
      entries: entries.filter(({ name }) => !spread.test(name)).length,
    };
  }
}
