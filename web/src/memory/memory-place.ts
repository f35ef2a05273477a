import { ErrandError } from '@errand/client';
import { keys } from '../api/query-keys.ts';
import type { MemorySearch } from './memory-search.ts';

/** The place of a memory, as the API takes it. */
export type MemoryPlace = { scope: 'account' | 'project' | 'agent'; id?: string };

export function placeOf({ scope, id }: MemorySearch): MemoryPlace {
  return scope === undefined || id === undefined ? { scope: 'account' } : { scope, id };
}

/** Key of everything in a memory. */
export function keyOf({ scope, id = '' }: MemoryPlace) {
  return [...keys.memory, scope, id] as const;
}

/** A write that names the version it was made from is refused if there is another: that is said at once, not tried again. */
export const once = { idempotencyKey: null };

/** Whether somebody else has written in the meantime. */
export function isConflict(error: unknown): boolean {
  return error instanceof ErrandError && error.code === 'conflict';
}
