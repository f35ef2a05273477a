import type { Context, HandlerServices } from '../../api/contract/operation.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Database, IdempotencyKey } from '../../store/db/database.ts';
import { findRemembered } from '../../store/db/idempotency-keys.ts';
import type { StoreOperation } from '../../store/db/store-operation.ts';
import type { Caller } from '../authentication/authenticate.ts';
import type { CallerPresence } from './caller-presence.ts';

export interface ContextParts {
  database: Database;
  handlerServices: HandlerServices;
}

/** A handler's context, which also collects what the response carries besides its data. */
export interface RequestContext extends Context {
  readonly isReplay: boolean;
  /** Whether to clear the session cookie. */
  readonly hasSignedOut: boolean;
  /** Fields of the request that were ignored. */
  readonly ignored: readonly string[];
}

export function createContext(
  { database, handlerServices }: ContextParts,
  { principal, family }: Caller,
  now: number,
  idempotencyKey: IdempotencyKey | null,
  caller: Pick<CallerPresence, 'signal'> & Partial<Pick<CallerPresence, 'awaitOthers' | 'isStrict' | 'traceparent'>>,
): RequestContext {
  const ignored: string[] = [];
  let hasWritten = false;
  let isReplay = false;
  let recalled: { result: unknown } | null = null;
  let hasSignedOut = false;
  async function write<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
    if (hasWritten)
      throw new Fault('internal', 'Something went wrong inside the service.', { detail: 'a second write of one request' });
    hasWritten = true;
    if (recalled) return recalled.result as Result;
    if (!idempotencyKey) return database.run(operation, args);
    const remembered = await database.runOnce(operation, args, idempotencyKey);
    isReplay = remembered.isReplay;
    return remembered.result;
  }
  return {
    ...handlerServices,
    principal,
    family,
    now,
    isStrict: caller.isStrict ?? false,
    get traceparent() {
      return caller.traceparent ?? null;
    },
    noteIgnored: (names) => void ignored.push(...names),
    ignored,
    read: (operation, args) => database.run(operation, args),
    async recall() {
      recalled = idempotencyKey && (await database.run(findRemembered, idempotencyKey));
      isReplay = recalled !== null;
      return isReplay;
    },
    write,
    get signal() {
      return caller.signal;
    },
    get outwardSignal() {
      caller.awaitOthers?.();
      return caller.signal;
    },
    clearSignIn() {
      hasSignedOut = true;
    },
    get isReplay() {
      return isReplay;
    },
    get hasSignedOut() {
      return hasSignedOut;
    },
  };
}
