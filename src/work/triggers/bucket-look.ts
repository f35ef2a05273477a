import { Fault } from '@errand/base/fault.ts';
import {
  describeObject,
  digestObject,
  type ListedObject,
  nameOfKey,
  type ObjectDigest,
  type WatchedBucket,
} from '../../rules/triggers/watched-bucket.ts';
import { matchesPattern, mayPassLater } from '../../rules/triggers/watched-folder.ts';
import { BucketProblem } from '../../store/triggers/bucket-problem.ts';
import { FileChanged } from '../../store/triggers/folder-files.ts';
import {
  findSeenObjects,
  deleteGoneObjects,
  listSeenObjects,
  passObjects,
  renewLook,
  type SeenObject,
} from '../../store/triggers/watched-buckets.ts';
import type { BucketLookParts, LookOutcome } from './bucket-look-parts.ts';
import { bucketLeaseMs } from './look-worker.ts';

/** How old a lease may be when the next step begins. */
const renewalMs = 30_000;
/** How long a look takes new objects; others wait for its slot. */
const longestLookMs = 300_000;
/** How old a page of the list may be when one of its objects is deleted: what is written meanwhile has not been read. */
const longestPageMs = 10_000;
/** Objects of a look that start tasks, fewer a minute than a trigger may be sent; and that are deleted. */
const [takenPerLook, deletedPerLook] = [50, 100];
/** Objects of a look that may be unreadable before it ends, and those of earlier looks that the next ones try last. */
const [mostUnread, mostPutOff] = [5, 1000];
/** Known objects that are compared with a list at once. */
const comparedAtOnce = 1000;
/** Characters of a problem that is kept. */
const longestProblem = 500;

/** The look is over: the trigger was changed, or another process looks by now. */
class LookLost extends Error {}

interface Sorted {
  fresh: (ListedObject & ObjectDigest)[];
  old: ObjectDigest[];
  leaving: ListedObject[];
}

/** One look at a bucket: its whole list is compared with what is known, page by page. */
export class BucketLook {
  readonly #parts: BucketLookParts;
  readonly #bucket: WatchedBucket;
  /** Digests of the keys that the list has. */
  readonly #listed = new Set<string>();
  /** What earlier looks could not read, so that it does not keep others behind it from being read. */
  readonly #putOff: (ListedObject & ObjectDigest)[] = [];
  readonly #begunAt: number;
  #renewedAt: number;
  #pageAt = 0;
  #taken = 0;
  #deleted = 0;
  #unread = 0;
  #problem: string | null = null;

  constructor(parts: BucketLookParts) {
    const { bucket } = parts.look.trigger;
    if (!bucket) throw new BucketProblem('name', 'The trigger names no bucket.');
    this.#parts = parts;
    this.#bucket = bucket;
    this.#begunAt = parts.clock.monotonic();
    this.#renewedAt = this.#begunAt;
  }

  /** Rejects with `BucketProblem`. */
  async run(): Promise<LookOutcome> {
    try {
      const isComplete = await this.#compareList();
      if (isComplete) await this.#deleteGone();
      return { problem: this.#problem, isComplete };
    } catch (error) {
      if (error instanceof LookLost) return { problem: this.#problem, isComplete: false };
      throw error;
    }
  }

  /** False if it ends before the list does. */
  async #compareList(): Promise<boolean> {
    const { client, signal } = this.#parts;
    for await (const page of client.list(signal)) {
      this.#pageAt = this.#now;
      await this.#renew();
      const { fresh, old, leaving } = await this.#sort(page);
      if (old.length > 0) await this.#pass(old);
      for (const object of leaving) await this.#remove(object);
      if (!(await this.#takeAll(fresh.filter((object) => !this.#putsOff(object))))) return false;
    }
    return this.#takeAll(this.#putOff);
  }

  get #now(): number {
    return this.#parts.clock.monotonic();
  }

  #putsOff(object: ListedObject & ObjectDigest): boolean {
    if (!this.#parts.unread.has(object.digest)) return false;
    if (this.#putOff.length < mostUnread) this.#putOff.push(object);
    return true;
  }

  /** False if the rest has to wait. */
  async #takeAll(objects: readonly (ListedObject & ObjectDigest)[]): Promise<boolean> {
    for (const object of objects) {
      const isOver = this.#now - this.#begunAt >= longestLookMs;
      if (isOver || this.#taken >= takenPerLook || this.#unread >= mostUnread) return false;
      if (!(await this.#take(object))) return false;
    }
    return true;
  }

  /** Sorts the objects of a page by what is to be done with them. */
  async #sort(page: readonly ListedObject[]): Promise<Sorted> {
    const { database, lease, look } = this.#parts;
    const watched = page.filter(({ key }) => key.startsWith(this.#bucket.prefix) && this.#isWanted(nameOfKey(key)));
    const objects = new Map(watched.map((object) => [digestObject(object).digest, { ...object, ...digestObject(object) }]));
    const digests = [...objects.keys()];
    for (const digest of digests) this.#listed.add(digest);
    const seen = await database.run(findSeenObjects, { ...lease, digests });
    const known = new Map(seen.map((object) => [object.digest, object]));
    const sorted: Sorted = { fresh: [], old: [], leaving: [] };
    for (const object of objects.values()) {
      const before = known.get(object.digest);
      if (before?.version === object.version && !this.#cameAgain(object, before)) {
        if (this.#bucket.after === 'delete' && before.changedAtMs !== null) sorted.leaving.push(object);
      } else if (object.modifiedAtMs < look.seenAtMs) sorted.old.push(object);
      else sorted.fresh.push(object);
    }
    return sorted;
  }

  /** Where objects are deleted, one that is there again is another one, even with the same bytes. */
  #cameAgain({ modifiedAtMs }: ListedObject, { changedAtMs }: SeenObject): boolean {
    return this.#bucket.after === 'delete' && changedAtMs !== null && changedAtMs !== modifiedAtMs;
  }

  #isWanted(name: string): boolean {
    return name !== '' && !name.includes('\0') && matchesPattern(name, this.#bucket.pattern);
  }

  /** False if the rest has to wait. */
  async #take({ digest, version, ...object }: ListedObject & ObjectDigest): Promise<boolean> {
    const { client, look, lease, fire, unread, signal } = this.#parts;
    signal.throwIfAborted();
    await this.#renew();
    const body = describeObject(this.#bucket.name, object);
    const changedAtMs = this.#bucket.after === 'delete' ? object.modifiedAtMs : null;
    const taken = { digest, version, changedAtMs, lookAtMs: lease.lookAtMs };
    this.#taken += 1;
    try {
      const isTaken = await fire(look.trigger, { body, taken, read: () => client.read(object, signal) }, signal);
      unread.delete(digest);
      if (!isTaken) await this.#pass([{ digest, version }]);
    } catch (error) {
      if (error instanceof FileChanged || (error instanceof BucketProblem && !signal.aborted)) {
        this.#unread += 1;
        // A change is nothing to speak of, unless it comes again.
        if (error instanceof BucketProblem || unread.has(digest))
          this.#note(`The object ${body.path} cannot be read and is tried again: ${error.message}`);
        if (unread.size < mostPutOff) unread.add(digest);
        return true;
      }
      if (!(error instanceof Fault)) throw error;
      if (mayPassLater(error)) {
        const { message } = error.cause instanceof Fault ? error.cause : error;
        this.#note(`The object ${body.path} waits and is tried again every minute: ${message}`);
        return false;
      }
      await this.#pass([{ digest, version }]);
    }
    return true;
  }

  /** Deletes an object whose task has started. */
  async #remove({ key }: ListedObject): Promise<void> {
    const { client, signal } = this.#parts;
    if (this.#deleted >= deletedPerLook || this.#now - this.#pageAt > longestPageMs) return;
    this.#deleted += 1;
    // Proves that the trigger still deletes, and that nobody else looks.
    await this.#pass([]);
    try {
      await client.remove(key, signal);
    } catch (error) {
      if (!(error instanceof BucketProblem) || signal.aborted) throw error;
      this.#deleted = deletedPerLook;
      this.#note(`The object ${key} cannot be deleted: ${error.message}`);
    }
  }

  async #pass(objects: readonly ObjectDigest[]): Promise<void> {
    const { database, lease, look } = this.#parts;
    const passed = objects.map(({ digest, version }) => ({ digest, version }));
    // Changed, paused, or taken over: whoever looks next finds them again.
    if (!(await database.run(passObjects, { ...lease, knownAtMs: look.trigger.updatedAtMs, objects: passed })))
      throw new LookLost();
  }

  /** Forgets what the list no longer has, so that it is new when it comes again. */
  async #deleteGone(): Promise<void> {
    const { database, lease } = this.#parts;
    for (let after = ''; ; ) {
      const known = await database.run(listSeenObjects, { ...lease, after, limit: comparedAtOnce });
      const gone = known.filter((digest) => !this.#listed.has(digest));
      if (gone.length > 0 && !(await database.run(deleteGoneObjects, { ...lease, digests: gone }))) throw new LookLost();
      const last = known.at(-1);
      if (last === undefined || known.length < comparedAtOnce) return;
      after = last;
    }
  }

  async #renew(): Promise<void> {
    const { database, clock, lease } = this.#parts;
    if (clock.monotonic() - this.#renewedAt < renewalMs) return;
    const lookAtMs = await database.run(renewLook, { ...lease, leaseMs: bucketLeaseMs });
    if (lookAtMs === null) throw new LookLost();
    lease.lookAtMs = lookAtMs;
    this.#renewedAt = clock.monotonic();
  }

  #note(problem: string): void {
    this.#problem ??= problem.replaceAll('\0', '').slice(0, longestProblem);
  }
}
