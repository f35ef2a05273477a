import { Fault, type FaultCode, type FaultOptions } from '@errand/base/fault.ts';
import type { SecurityEvent } from '../../rules/accounts/security-event.ts';
import type { Outcome } from '@errand/base/load/batcher.ts';
import type { IdempotencyKey } from './database.ts';

/** Messages to and from the database thread. Plain data: structured clone supports neither classes nor functions. */
export interface WireCall {
  operation: string;
  args: unknown;
  idempotency: IdempotencyKey | null;
}

export interface WireBatch {
  id: number;
  /** The caller's clock; the database thread has none. */
  now: number;
  calls: WireCall[];
}

/** A read for a reader thread, which opens the file when it gets the first one. */
export interface ScanJob {
  file: string;
  now: number;
  call: WireCall;
}

export interface WireFault extends Omit<FaultOptions, 'cause' | 'status'> {
  ok: false;
  code: FaultCode;
  message: string;
  detail: string;
}

export type WireOutcome = { ok: true; value: unknown } | WireFault;

export interface WireReply {
  id: number;
  outcomes: WireOutcome[];
  /** Security events that the batch wrote. */
  notified: SecurityEvent[];
}

/** Why the write-ahead log cannot be copied; null if it can again. */
export interface WalReport {
  walProblem: string | null;
}

export function packError(error: unknown): WireOutcome {
  if (error instanceof Fault) {
    const { code, message, detail = '', retryAfterS, isAlreadyThere, param, neededScopes } = error;
    const given = { ...(retryAfterS !== undefined && { retryAfterS }), ...(param !== undefined && { param }) };
    return { ok: false, code, message, detail, isAlreadyThere, neededScopes, ...given };
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { ok: false, code: isStorageTrouble(error) ? 'unavailable' : 'internal', message: storageMessage(error), detail };
}

/** SQLite's result codes for a full disk (13), I/O errors (10), and a file that is busy (5), locked (6), read-only (8), or missing (14). */
function isStorageTrouble(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && [5, 6, 8, 10, 13, 14].includes(code & 0xff);
}

function storageMessage(error: unknown): string {
  return isStorageTrouble(error)
    ? 'The storage is temporarily unavailable; try again.'
    : 'Something went wrong inside the service.';
}

export function unpackOutcome(outcome: WireOutcome): Outcome<unknown> {
  if (outcome.ok) return outcome;
  const { ok, code, message, ...options } = outcome;
  return { ok, error: new Fault(code, message, { ...(code === 'unavailable' && { retryAfterS: 1 }), ...options }) };
}
