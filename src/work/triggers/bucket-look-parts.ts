import type { Clock } from '@errand/base/clock.ts';
import type { ObjectBody } from '../../rules/triggers/watched-bucket.ts';
import type { Database } from '../../store/db/database.ts';
import type { BucketClient } from '../../store/triggers/bucket-client.ts';
import type { TakenObject } from '../../store/triggers/fire-trigger.ts';
import type { LookKey } from '../../store/triggers/trigger-row.ts';
import type { FoundTrigger } from '../../store/triggers/triggers.ts';
import type { Look } from '../../store/triggers/watched-folders.ts';

/** An object with what reads it. */
export interface FoundObject {
  body: ObjectBody;
  taken: TakenObject;
  read(): AsyncIterable<Uint8Array>;
}

export interface BucketLookParts {
  database: Database;
  clock: Clock;
  client: BucketClient;
  look: Look;
  /** Digests of the objects that earlier looks could not read. */
  unread: Set<string>;
  /** Proves the look; its end moves with each renewal. */
  lease: LookKey;
  /**
   * Starts the task of an object once, and records the object with it; false if nothing came of it, which is recorded too. Rejects with a
   * fault whose outcome is recorded unless it may pass, or as `read` does.
   */
  fire(trigger: FoundTrigger, object: FoundObject, signal: AbortSignal): Promise<boolean>;
  signal: AbortSignal;
}

export interface LookOutcome {
  /** Why an object has to wait; null if none has. */
  problem: string | null;
  /** Whether it saw the whole list. */
  isComplete: boolean;
}
