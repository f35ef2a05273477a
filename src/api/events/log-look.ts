import type { FairGate } from '@errand/base/load/fair-gate.ts';
import { presentEvent } from '../../rules/events/present.ts';
import type { Database } from '../../store/db/database.ts';
import { readShownPage } from '../../store/events/shown-page.ts';
import { getTask } from '../../store/tasks/tasks.ts';
import type { FeedItem, LogLook, LogPage, LogView, ReaderAccess } from '../contract/feed.ts';
import type { Urls } from '../contract/urls.ts';
import { attachmentView } from './attachment-view.ts';

export interface LookParts {
  database: Pick<Database, 'run'>;
  urls: Urls;
  /** Slots of reads far behind the end of a log. */
  backfills: FairGate;
}

/** Few, because slow readers hold one page each, and others answer requests between two pages. */
const pageSize = 8;
/** Stored bytes of a page, because one event can be large. */
const pageBytes = 256 * 1024;
/** A read that several readers may wait for is not given up. */
const { signal } = new AbortController();
/** Pages that stay in memory for readers that come later. */
const keptPages = 4;

/** Reads each page once, however many readers ask for it, and checks each access once. */
export class SharedLook implements LogLook {
  readonly #parts: LookParts;
  readonly #view: LogView;
  readonly #onSeen: (lastSeq: number) => void;
  #lastSeq: Promise<number> | null = null;
  readonly #pages = new Map<number, Promise<LogPage>>();
  readonly #checks = new Map<string, Promise<boolean>>();

  /** @param onSeen receives the number of the last event once it is known */
  constructor(parts: LookParts, view: LogView, onSeen: (lastSeq: number) => void) {
    this.#parts = parts;
    this.#view = view;
    this.#onSeen = onSeen;
  }

  isAllowed(access: ReaderAccess): Promise<boolean> {
    const known = this.#checks.get(access.id);
    if (known) return known;
    const check = access.isStillValid();
    this.#checks.set(access.id, check);
    return check;
  }

  readPage(afterSeq: number): Promise<LogPage> {
    const known = this.#pages.get(afterSeq);
    if (known) return known;
    const page = this.#read(afterSeq);
    this.#pages.set(afterSeq, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > keptPages && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }

  async #read(afterSeq: number): Promise<LogPage> {
    this.#lastSeq ??= this.#findEnd();
    const lastSeq = await this.#lastSeq;
    if (afterSeq >= lastSeq) return { items: [], seq: afterSeq, isLast: true };
    const read = () => this.#readUpTo(lastSeq, afterSeq);
    if (lastSeq - afterSeq <= pageSize) return read();
    // One account alone reads one page at a time.
    return this.#parts.backfills.run({ owner: this.#view.key.accountId, signal }, read);
  }

  async #readUpTo(lastSeq: number, afterSeq: number): Promise<LogPage> {
    const { key, isVerbose, showsAccount } = this.#view;
    const place = { ...key, order: 'asc' as const, isVerbose, fromSeq: afterSeq, limit: pageSize, maxBytes: pageBytes };
    const { events, hasMore } = await this.#parts.database.run(readShownPage, place);
    const view = { ...attachmentView(this.#parts.urls, key.accountId), showsAccount };
    const items = events.flatMap((one): FeedItem[] => {
      const event = presentEvent(key.taskId, one, view);
      return event ? [{ kind: 'event', event }] : [];
    });
    const lastRead = events.at(-1)?.seq ?? afterSeq;
    // The last page ends after everything that was in the log when `lastSeq` was read, visible or not.
    const seq = hasMore ? lastRead : Math.max(lastRead, lastSeq);
    return { items, seq, isLast: seq >= lastSeq };
  }

  async #findEnd(): Promise<number> {
    const { lastSeq } = await this.#parts.database.run(getTask, this.#view.key);
    this.#onSeen(lastSeq);
    return lastSeq;
  }
}
