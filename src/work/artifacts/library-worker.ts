import { Readable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import { libraryKey } from '@errand/base/signals/hints.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import { chooseCover, coveredBytes, type CoverKind, type CoverMeans } from '../../rules/artifacts/cover.ts';
import { pdfSourceEnding } from '../../rules/artifacts/pdf-source.ts';
import type { Attachment, StoredFile } from '../../rules/events/task-event.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { claimDueCovers, type CoveredSite, type DueCover, recordCover } from '../../store/artifacts/artifact-covers.ts';
import type { Database } from '../../store/db/database.ts';
import { claimDueSites, type LiveSite, recordPublication } from '../../store/websites/published-websites.ts';
import type { PdfKey } from '../../store/blobs/pdf-cache.ts';

/** The poll interval without hints. */
const pollMs = 10_000;
const atOnce = 4;

/** The source of a cover: a file, one to convert to PDF first, or a stored site. */
export type CoverSource =
  | { kind: Exclude<CoverKind, 'converted'>; bytes: Buffer }
  | { kind: 'converted'; request: PdfKey & { bytes: number } }
  | { kind: 'site'; bytes: Buffer; indexAt: number };

/** Creates a small PNG of untrusted content. */
export interface CoverGenerator {
  readonly means: CoverMeans;
  /** Rejects if none is possible. */
  make(source: CoverSource, signal: AbortSignal): Promise<Uint8Array>;
}

export interface LibraryWorkerParts {
  database: Database;
  blobs: Blobs;
  covers: CoverGenerator;
  clock: Clock;
  log: Log;
}

/** Publishes sites and creates covers, one after another. */
export class LibraryWorker extends Worker {
  readonly #parts: LibraryWorkerParts;

  constructor(parts: LibraryWorkerParts) {
    const { database, clock, log } = parts;
    const hint = { hints: database.hints, key: libraryKey };
    super({ name: 'library-worker', clock, log, pollMs, hint, failure: 'the library worker failed; it tries again' });
    this.#parts = parts;
  }

  /** Claims of a failed round become due again when they expire. */
  protected async work(): Promise<boolean> {
    const { database } = this.#parts;
    const claim = { limit: atOnce };
    const sites = await database.run(claimDueSites, claim);
    const covers = await database.run(claimDueCovers, claim);
    for (const site of sites) await this.#publish(site);
    for (const cover of covers) await this.#cover(cover);
    return sites.length === atOnce || covers.length === atOnce;
  }

  /** A site goes live once its checkpoint is known to be complete. */
  async #publish({ accountId, websiteId, versionId, blobId, bytes }: LiveSite): Promise<void> {
    const { database, blobs, clock, log } = this.#parts;
    const isGood = (await blobs.size(accountId, blobId)) === bytes;
    if (!isGood) log.error({ website_id: websiteId }, 'a website could not be published: its files are not there');
    await database.run(recordPublication, { accountId, websiteId, versionId, isGood, now: clock.now() });
  }

  async #cover({ attachment, site, ...due }: DueCover): Promise<void> {
    const source = await this.#open(due.accountId, attachment, site);
    const cover = source && (await this.#makeCover(due.accountId, source));
    await this.#parts.database.run(recordCover, { ...due, cover });
  }

  /** Null for types without covers on this machine. */
  async #open(accountId: string, attachment: Attachment | null, site: CoveredSite | null): Promise<CoverSource | null> {
    const { blobs, covers } = this.#parts;
    const read = async (blobId: string) => Buffer.concat(await (await blobs.open(accountId, blobId)).toArray());
    if (site) {
      const isShown = covers.means.hasBrowser && site.bytes <= coveredBytes;
      return isShown ? { kind: 'site', bytes: await read(site.blobId), indexAt: site.indexAt } : null;
    }
    const chosen = attachment && chooseCover(attachment, covers.means);
    if (!chosen) return null;
    const { kind, file } = chosen;
    if (kind !== 'converted') return { kind, bytes: await read(file.blobId) };
    const ending = pdfSourceEnding(file);
    return ending === null ? null : { kind, request: { accountId, blobId: file.blobId, bytes: file.bytes, ending } };
  }

  /** Null if no cover can be made. */
  async #makeCover(accountId: string, source: CoverSource): Promise<StoredFile | null> {
    const { blobs, covers, log } = this.#parts;
    let png: Uint8Array;
    try {
      png = await covers.make(source, this.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      log.info({ err: error }, 'no cover could be made of a file');
      return null;
    }
    // A stored cover is recorded even during shutdown: otherwise nobody would find it.
    this.signal.throwIfAborted();
    const kept = await blobs.put(accountId, Readable.from([png]), { maxBytes: coveredBytes, isCopy: true });
    return { blobId: kept.blobId, filename: 'cover.png', contentType: 'image/png', bytes: kept.bytes };
  }
}
