import type { Clock, Timer } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { mostRequests } from '../../rules/requests/kept-request.ts';
import { type RecordedRequest, recordRequests } from '../../store/requests/kept-requests.ts';
import type { Database } from '../../store/db/database.ts';
import { readKept, type SeenRequest } from './kept-part.ts';

const gatherMs = 1000;
/** What is kept of the requests of a second: of one account that failed, of one that did not, and of all accounts. */
const most = { ofAccount: 100, ofAll: 2000 };
/** An account is trimmed each time this many of its requests were written. */
const trimEvery = mostRequests / 5;

export interface RequestRecorderParts {
  database: Pick<Database, 'run'>;
  clock: Clock;
  log: Log;
}

/**
 * Records the requests of programs for the developers of their accounts, once a second in one batch beside the requests themselves: nothing
 * waits for it, and what a killed process has not written is lost. Of more requests than anybody reads, the first of each second are kept.
 */
export class RequestRecorder {
  readonly #parts: RequestRecorderParts;
  /** Since when an account was trimmed last. */
  readonly #written = new Map<string, number>();
  #counts = new Map<string, number>();
  #seen: SeenRequest[] = [];
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: RequestRecorderParts) {
    this.#parts = parts;
  }

  /** Reads what is kept of it later. */
  note(request: SeenRequest): void {
    const group = `${request.status < 400 ? 'ok' : 'failed'} ${request.accountId}`;
    const count = this.#counts.get(group) ?? 0;
    if (count >= most.ofAccount || this.#seen.length >= most.ofAll) return;
    this.#counts.set(group, count + 1);
    this.#seen.push(request);
    this.#timer ??= this.#parts.clock.setTimer(() => void this.flush(), gatherMs);
  }

  /** Writes what was noted, after what is being written. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const seen = this.#seen;
    this.#seen = [];
    this.#counts = new Map();
    if (seen.length > 0) this.#writing = this.#writing.then(() => this.#write(seen));
    return this.#writing;
  }

  async #write(seen: readonly SeenRequest[]): Promise<void> {
    const { database, log } = this.#parts;
    try {
      await database.run(recordRequests, { requests: seen.flatMap((one) => this.#read(one)), full: this.#findFull(seen) });
    } catch (error) {
      log.warn({ err: error, requests: seen.length }, 'requests could not be recorded for their developers');
    }
  }

  /** One that cannot be read takes no others with it. */
  #read(seen: SeenRequest): RecordedRequest[] {
    try {
      return [readKept(seen)];
    } catch (error) {
      this.#parts.log.warn({ err: error, request_id: seen.id }, 'a request could not be recorded for its developers');
      return [];
    }
  }

  /** The accounts that may have too many; a process begins with those whose requests it sees first. */
  #findFull(seen: readonly SeenRequest[]): string[] {
    const groups = Map.groupBy(seen, ({ accountId }) => accountId);
    return [...groups].flatMap(([accountId, { length }]) => {
      const written = (this.#written.get(accountId) ?? trimEvery) + length;
      const isFull = written > trimEvery;
      this.#written.set(accountId, isFull ? 0 : written);
      return isFull ? [accountId] : [];
    });
  }
}
