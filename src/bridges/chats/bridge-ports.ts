import type { Readable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import type { Database } from '../../store/db/database.ts';
import type { ChatPlatform } from '../platform/chat-platform.ts';

/** One call of the API on behalf of an account. */
export interface Act {
  accountId: string;
  /** Where the account's user asks for it. */
  chatId: string;
  /** Operation name; all of them are POST. */
  operation: 'task.sendMessage' | 'task.confirmAction' | 'task.stop' | 'inbox.decide' | 'inbox.assign';
  body: Record<string, unknown>;
  /** Idempotency key: the same for the same request. */
  idempotencyKey: string;
}

/** What bridges need of the rest of the service. */
export interface BridgePorts {
  database: Database;
  clock: Clock;
  log: Log;
  /** Calls an operation with the rights of the account. */
  act(request: Act): Promise<{ status: number; body: Record<string, unknown> }>;
  openFile(accountId: string, blobId: string): Promise<Readable>;
  /** The public URL of the service, without a slash at its end; null before its first start. */
  findBaseUrl(): Promise<string | null>;
  /** A URL for a file that is too large to be sent; null if none can be made. */
  linkTo(accountId: string, file: StoredFile): Promise<string | null>;
}

export type PlatformPorts = BridgePorts & { platform: ChatPlatform };
