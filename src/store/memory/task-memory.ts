import { Fault } from '@errand/base/fault.ts';
import type { MemoryPlace } from '../../rules/memory/memory-scope.ts';
import { isNewestRun } from '../db/shared-rows.ts';
import { findRow, lockAccount, type Script, type StoreOperation } from '../db/store-operation.ts';
import { applyChange, type Head, openStore, readHead } from './memory-changes.ts';
import type { OpenStore } from './memory-history.ts';
import { readMemory } from './memory-reads.ts';
import type { MemoryFile, MemoryKey } from './memory-rows.ts';
import { currentVersion } from './memory-writes.ts';

/** What a task has made of a file that it found at `ifVersion`, 0 for a new one. */
export interface TaskMemoryChange extends MemoryPlace {
  path: string;
  content: string | null;
  ifVersion: number;
}

/** `conflict`: somebody else has written since; `content` is what the file has now, null if it is gone. */
export type TaskMemoryOutcome =
  | { result: 'saved'; file: MemoryFile }
  | { result: 'conflict'; version: number; content: string | null }
  | { result: 'refused'; reason: string };

export interface SaveTaskMemoryArgs {
  accountId: string;
  taskId: string;
  /** Fence of the task's lease: a worker writes nothing once another has claimed the task. */
  fence: number;
  changes: readonly TaskMemoryChange[];
  /** What the task has seen. */
  untrusted: boolean;
  private: boolean;
  now: number;
}

function* readContent(key: MemoryKey, path: string, { isDeleted }: Head): Script<string | null> {
  return isDeleted ? null : (yield* readMemory.run({ ...key, path, version: null })).content;
}

function* saveChange(
  store: OpenStore,
  { path, content, ifVersion }: TaskMemoryChange,
  { taskId, untrusted, private: isPrivate, now }: SaveTaskMemoryArgs,
): Script<TaskMemoryOutcome> {
  const head = yield* readHead(store.key, path);
  const version = currentVersion(head);
  if (version !== ifVersion) {
    const found = yield* readContent(store.key, path, head);
    return { result: 'conflict', version, content: found };
  }
  const change = { path, content, now, author: 'task', taskId, untrusted, private: isPrivate };
  try {
    return { result: 'saved', file: yield* applyChange(store, head, change) };
  } catch (error) {
    // Nothing of it has been written.
    if (error instanceof Fault) return { result: 'refused', reason: error.message };
    throw error;
  }
}

/** Saves what a call of a task has changed in its memory, each file independently; null if the task has another worker by now. */
export const saveTaskMemory: StoreOperation<SaveTaskMemoryArgs, TaskMemoryOutcome[] | null> = {
  name: 'memory.save',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    const { accountId, taskId, fence, changes } = args;
    yield* lockAccount(accountId);
    const task = yield* findRow('fence, lease_owner', 'tasks', { account_id: accountId, id: taskId });
    if (!task || !isNewestRun(task, fence)) return null;
    const stores = new Map<string, OpenStore>();
    const outcomes: TaskMemoryOutcome[] = [];
    for (const change of changes) {
      const { scope, scopeId } = change;
      const store = stores.get(scope) ?? (yield* openStore({ accountId, scope, scopeId }));
      stores.set(scope, store);
      outcomes.push(yield* saveChange(store, change, args));
    }
    return outcomes;
  },
};
