import type { FileHandle } from 'node:fs/promises';

/** How many files are flushed at once, which a journal takes together. */
const mostAtOnce = 32;

/** Flushes files to disk while the next ones are written, and closes them. */
export class FileSyncs {
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  /** Takes the file over. Waits only if many are being flushed. */
  async add(file: FileHandle): Promise<void> {
    const run: Promise<void> = this.#flush(file).finally(() => this.#running.delete(run));
    this.#running.add(run);
    if (this.#running.size >= mostAtOnce) await Promise.race(this.#running);
  }

  /** Resolves when all files are on disk; rejects if one is not. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }

  async #flush(file: FileHandle): Promise<void> {
    try {
      await file.sync();
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      await file.close();
    }
  }
}
