import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@errand/base/fault.ts';
import { isId, randomBase62 } from '@errand/base/ids.ts';

/** The file that was converted. */
export interface PdfKey {
  accountId: string;
  blobId: string;
  /** Type of the source file, such as `pptx`. */
  ending: string;
}

export interface CachedPdf {
  path: string;
  bytes: number;
}

export interface PdfCacheParts {
  now(): number;
  isNeeded(accountId: string, blobId: string): Promise<boolean>;
}

/** Total size; beyond it the least recently viewed are deleted. */
const mostBytes = 256 * 1024 * 1024;
const unusedMs = 7 * 24 * 60 * 60 * 1000;

interface Entry extends PdfKey, CachedPdf {
  usedAtMs: number;
}

function readName(name: string): PdfKey | null {
  const [accountId = '', blobId = '', ending = '', last, ...rest] = name.split('.');
  return isId(accountId) && isId(blobId) && last === 'pdf' && rest.length === 0 ? { accountId, blobId, ending } : null;
}

/** Converted PDFs, as files. Several processes may share the folder. Anything lost is converted again. */
export class PdfCache {
  readonly #folder: string;
  readonly #parts: PdfCacheParts;

  constructor(folder: string, parts: PdfCacheParts) {
    this.#folder = folder;
    this.#parts = parts;
  }

  /** The PDF, which counts as use; null if there is none. */
  async find(key: PdfKey): Promise<CachedPdf | null> {
    const path = this.#placeOf(key);
    try {
      const { size: bytes } = await stat(path);
      const now = this.#parts.now() / 1000;
      await utimes(path, now, now);
      return { path, bytes };
    } catch {
      return null;
    }
  }

  async save(key: PdfKey, pages: Uint8Array): Promise<CachedPdf> {
    const path = this.#placeOf(key);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = join(this.#folder, `.${randomBase62(16)}`);
    await writeFile(draft, pages, { mode: 0o600 });
    await rename(draft, path);
    return { path, bytes: pages.length };
  }

  /** Deletes entries unused for a week, then the oldest ones over the size limit, and temporary files left by a crash. */
  async tidy(): Promise<void> {
    const now = this.#parts.now();
    let bytes = 0;
    for (const entry of (await this.#list()).toSorted((one, other) => other.usedAtMs - one.usedAtMs)) {
      bytes += entry.bytes;
      const isKept =
        bytes <= mostBytes && entry.usedAtMs > now - unusedMs && (await this.#parts.isNeeded(entry.accountId, entry.blobId));
      if (!isKept) await rm(entry.path, { force: true });
    }
  }

  async #list(): Promise<Entry[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const entries: Entry[] = [];
    for (const name of names) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => null);
      if (!found) continue;
      const key = readName(name);
      if (key) entries.push({ ...key, path, bytes: found.size, usedAtMs: found.mtimeMs });
      else if (found.mtimeMs < this.#parts.now() - unusedMs) await rm(path, { force: true });
    }
    return entries;
  }

  #placeOf({ accountId, blobId, ending }: PdfKey): string {
    if (isId(accountId) && isId(blobId) && /^[a-z]{2,5}$/.test(ending)) {
      return join(this.#folder, `${accountId}.${blobId}.${ending}.pdf`);
    }
    throw new Fault('internal', 'The file cannot be opened.', { detail: 'unsafe key of pages' });
  }
}
