import { type Clock, pause } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import { maxPdfSourceBytes } from '../../rules/artifacts/pdf-source.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { type CachedPdf, PdfCache, type PdfKey } from '../../store/blobs/pdf-cache.ts';

/** Converts a document to PDF. */
export type PdfConverter = (bytes: Uint8Array, ending: string, signal: AbortSignal) => Promise<Uint8Array>;

export interface PdfConversionParts {
  /** Null if unavailable on this machine. */
  openConverter(): Promise<PdfConverter | null>;
  /** The folder of converted files; created on demand. */
  folder: string;
  blobs: Blobs;
  clock: Clock;
  log: Log;
}

/** How long a response waits for a conversion; it continues, and the next request gets the result. */
const responseTimeoutMs = 20_000;
const retryAfterS = 2;
/** How many conversions may wait, for one account and in total. */
const [maxPending, maxPendingOfAll] = [16, 256];
const tidyMs = 10 * 60_000;
/** How many unreadable files this process remembers. */
const mostRefused = 1000;

interface Job {
  accountId: string;
  pdf: Promise<CachedPdf>;
}

/** PDF conversions of office files: one at a time, in turn between accounts, each once, cached while the cache has space and the file is in use. */
export class PdfConversionService extends Worker {
  readonly #parts: PdfConversionParts;
  readonly #folder: PdfCache;
  readonly #jobs = new Map<string, Job>();
  readonly #refused = new Map<string, Fault>();
  readonly #gate = new FairGate({ capacity: 1 });

  constructor(parts: PdfConversionParts) {
    const { folder, blobs, clock, log } = parts;
    super({
      name: 'pdf-conversion',
      clock,
      log,
      pollMs: tidyMs,
      failure: 'the folder of converted files could not be cleaned up',
    });
    this.#parts = parts;
    this.#folder = new PdfCache(folder, { now: () => clock.now(), isNeeded: blobs.isNeeded });
  }

  /** Tidies the folder, between two conversions. */
  protected async work(): Promise<boolean> {
    await this.#gate.run({ owner: '', signal: this.signal }, () => this.#folder.tidy());
    return false;
  }

  /** See the interface of the same name. */
  async convert({ bytes, ...key }: PdfKey & { bytes: number }): Promise<CachedPdf> {
    if (bytes > maxPdfSourceBytes) throw new Fault('payload_too_large', 'This file is too large for a preview.');
    const kept = await this.#folder.find(key);
    if (kept) return kept;
    const name = Object.values(key).join('.');
    const refusal = this.#refused.get(name);
    if (refusal) throw refusal;
    const job = this.#jobs.get(name)?.pdf ?? this.#begin(name, key);
    const giveUp = new AbortController();
    const timeout = pause(this.#parts.clock, responseTimeoutMs, giveUp.signal).then((): never => {
      throw new Fault('unavailable', 'The preview of this file is still being created.', { retryAfterS });
    });
    try {
      return await Promise.race([job, timeout]);
    } finally {
      timeout.catch(() => undefined);
      giveUp.abort();
    }
  }

  #begin(name: string, key: PdfKey): Promise<CachedPdf> {
    const { accountId } = key;
    const ownCount = this.#jobs.values().reduce((count, job) => count + (job.accountId === accountId ? 1 : 0), 0);
    if (ownCount >= maxPending || this.#jobs.size >= maxPendingOfAll) {
      throw new Fault('unavailable', 'Too many files are being converted.', { retryAfterS: 5 * retryAfterS });
    }
    const pdf = this.#gate.run({ owner: accountId, signal: this.signal }, () => this.#make(key));
    this.#jobs.set(name, { accountId, pdf });
    const settle = (fault: unknown) => {
      this.#jobs.delete(name);
      if (!(fault instanceof Fault) || fault.code !== 'invalid_argument') return;
      const [oldest] = this.#refused.keys();
      if (this.#refused.size >= mostRefused && oldest !== undefined) this.#refused.delete(oldest);
      this.#refused.set(name, fault);
      this.#parts.log.info({ err: fault }, 'no pages could be made of a file');
    };
    this.track(pdf.then(() => settle(null), settle));
    return pdf;
  }

  async #make(key: PdfKey): Promise<CachedPdf> {
    const { signal } = this;
    signal.throwIfAborted();
    const converter = await this.#parts.openConverter();
    if (!converter) {
      throw new Fault('failed_precondition', 'This machine has no LibreOffice, which makes pages of such files.');
    }
    const { blobs } = this.#parts;
    const source = Buffer.concat(await (await blobs.open(key.accountId, key.blobId)).toArray());
    const pages = await converter(source, key.ending, signal);
    return this.#folder.save(key, pages);
  }
}
