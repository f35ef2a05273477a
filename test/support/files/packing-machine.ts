import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createWorkspaces, type Workspaces } from '@errand/sandbox/workspaces';
import { type Blobs, createBlobs } from '../../../src/store/blobs/blobs.ts';
import type { Database } from '../../../src/store/db/database.ts';
import type { TaskKey } from '../../../src/store/events/task-key.ts';
import { messageTask, stopTask } from '../../../src/store/tasks/tasks.ts';
import { WorkspaceKeeper } from '../../../src/work/tasks/workspace-keeper.ts';
import { WorkspacePacking } from '../../../src/work/tasks/workspace-packing.ts';
import { TestClock } from '../base/test-clock.ts';
import type { OpenStore } from '../db/databases.ts';
import { createClaimed, nextMs } from '../db/store-samples.ts';
import { createFolder } from '../process/leftovers.ts';
import { MemoryBlobStore } from './memory-blob-store.ts';
import { writeHello } from './workspace-samples.ts';

export const dayMs = 86_400_000;
const quietMs = 7 * dayMs;
const never = new AbortController().signal;
/** When nothing has happened any more to quiet tasks. */
export const longAgo = new Date(Date.now() - 30 * dayMs);

/** Ends like a killed process: at one of its effects, before or after it, and from then on it has none. */
export class DyingProcess {
  #left: number;

  /** @param step the moments before and after each effect, counted from 1 */
  constructor(step: number) {
    this.#left = step;
  }

  /** The same object, whose methods of these names are effects. */
  guard<Target extends object>(target: Target, names: readonly (keyof Target & string)[]): Target {
    return new Proxy(target, {
      get: (whole, name) => {
        const value: unknown = Reflect.get(whole, name, whole);
        if (typeof value !== 'function') return value;
        const method = value.bind(whole) as (...args: unknown[]) => unknown;
        if (!names.some((each) => each === name)) return method;
        return async (...args: unknown[]) => {
          this.#pass();
          const result = await method(...args);
          this.#pass();
          return result;
        };
      },
    });
  }

  #pass(): void {
    this.#left -= 1;
    if (this.#left <= 0) throw new Error('the process has ended');
  }
}

export interface MachineParts {
  /** Where the folders are; without it, a place of its own. */
  folder?: string;
  blobStore?: MemoryBlobStore;
  database?: Database;
  process?: DyingProcess;
}

const folders = new Set<string>();

/** Makes what tests have locked removable. */
export function unlockMachines(): void {
  for (const folder of folders) execFileSync('chmod', ['-R', 'u+rwX', folder]);
}

/** A machine with workspaces in a folder, which packs them. */
export function openMachine(store: OpenStore, { blobStore = new MemoryBlobStore(), ...parts }: MachineParts = {}) {
  const { folder = createFolder('packed'), process = new DyingProcess(Number.POSITIVE_INFINITY) } = parts;
  folders.add(folder);
  const database = process.guard(parts.database ?? store.database, ['run']);
  const clock = new TestClock(Date.now());
  const workspaces: Workspaces = process.guard(createWorkspaces(folder), ['list', 'setGeneration', 'remove', 'removeStale']);
  const blobs = createBlobs({ database, blobStore: process.guard(blobStore, ['put', 'open']), clock });
  const own = { database, workspaces, blobs, clock, log: silentLog };
  const keeper = new WorkspaceKeeper({ ...own, isAlone: store.engine === 'sqlite' });
  return {
    ...own,
    folder,
    blobStore,
    keeper,
    pack: ({
      signal = never,
      ...changes
    }: {
      blobs?: Pick<Blobs, 'put' | 'open'>;
      database?: Database;
      signal?: AbortSignal;
    } = {}) => new WorkspacePacking({ ...own, keeper, quietMs, isBusy: () => false, ...changes }).run(signal),
    rootOf: ({ accountId, taskId }: TaskKey) => join(folder, accountId, taskId),
  };
}

export type Machine = ReturnType<typeof openMachine>;

/** A task that ended long ago, with a folder in which nothing has happened since. */
export async function createQuiet(
  store: OpenStore,
  { rootOf }: Pick<Machine, 'rootOf'>,
  fill: (root: string) => void = writeHello,
): Promise<TaskKey> {
  const task = await createClaimed(store.database);
  const { accountId, taskId } = task;
  await store.database.run(stopTask, { ...task, now: nextMs() });
  const atMs = longAgo.getTime();
  await store.query('UPDATE tasks SET updated_at = ?, last_event_at = ? WHERE id = ?', atMs, atMs, taskId);
  const root = rootOf(task);
  mkdirSync(root, { recursive: true });
  fill(root);
  utimesSync(root, longAgo, longAgo);
  return { accountId, taskId };
}

/** A person resumes a task. */
export async function resume(store: OpenStore, key: TaskKey): Promise<void> {
  const message = { type: 'user_message', text: 'go on', kind: 'text' } as const;
  await store.database.run(messageTask, { ...key, now: systemClock.now(), message, profile: null });
}
