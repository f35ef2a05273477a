import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { syncFolder, unlessMissing } from '../blobs/durable-files.ts';
import { BackupProblem, isFull } from './backup-problem.ts';
import { backupsKey, type BackupTarget } from './backup-target.ts';

/** Backups in a folder, readable by its owner only. */
export class FolderTarget implements BackupTarget {
  readonly name: string;
  readonly #known = new Set<string>();

  /** @param folder an absolute path, which may not exist yet */
  constructor(folder: string) {
    this.name = folder;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const place = join(this.name, key);
    const draft = `${place}.${randomBytes(6).toString('hex')}.part`;
    try {
      await this.#makeFolder(dirname(place));
      await this.#write(draft, source);
      await rename(draft, place);
      await syncFolder(dirname(place));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      if (!isFull(error)) throw error;
      throw new BackupProblem(`no space is left in ${this.name}; free some or choose another target`, { cause: error });
    }
  }

  async open(key: string): Promise<Readable | null> {
    const handle = await unlessMissing(open(join(this.name, key), 'r'));
    return handle && handle.createReadStream();
  }

  async size(key: string): Promise<number | null> {
    return (await unlessMissing(stat(join(this.name, key))))?.size ?? null;
  }

  async listBackups(): Promise<string[]> {
    return (await unlessMissing(readdir(join(this.name, backupsKey)))) ?? [];
  }

  async list(key: string): Promise<string[]> {
    const entries = await unlessMissing(readdir(join(this.name, key), { withFileTypes: true, recursive: true }));
    const files = (entries ?? []).filter((entry) => entry.isFile());
    return files.map((entry) => relative(this.name, join(entry.parentPath, entry.name)));
  }

  async remove(key: string): Promise<void> {
    const place = join(this.name, key);
    await rm(place, { force: true });
    for (let folder = dirname(place); folder !== this.name; folder = dirname(folder)) {
      if (!(await removeIfEmpty(folder))) return;
      this.#known.delete(folder);
    }
  }

  async isEmpty(): Promise<boolean> {
    return ((await unlessMissing(readdir(this.name))) ?? []).length === 0;
  }

  async #write(draft: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    await using handle = await open(draft, 'wx', 0o600);
    for await (const chunk of source) await handle.writeFile(chunk);
    await handle.sync();
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#known.has(folder)) return;
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    // Syncing a parent makes the entry of a new folder durable.
    const newest = made?.length ?? Number.MAX_SAFE_INTEGER;
    for (let each = folder; each.length >= newest; each = dirname(each)) await syncFolder(dirname(each));
    this.#known.add(folder);
  }
}

/** Removes an empty folder; false if it has entries, even one that was added just now. */
async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}
