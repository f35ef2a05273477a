import { newId } from '@errand/base/ids.ts';
import type { ModelPart, TaskEvent, TokenUsage } from '../../../src/rules/events/task-event.ts';
import { type ClaimArgs, type ClaimedTask, claimTasks } from '../../../src/store/tasks/claims/task-claims.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { type CreateTaskArgs, createTask } from '../../../src/store/tasks/tasks.ts';
import { appendEvents, type Lease } from '../../../src/store/tasks/task-leases.ts';
import type { ScheduleSettings } from '../../../src/store/schedules/schedules.ts';
import type { ListTasksArgs } from '../../../src/store/tasks/task-list.ts';

let lastMs = Date.UTC(2026, 0, 1);

/** A unique, increasing time, so that ids created from it sort in the order of the calls. */
export function nextMs(): number {
  lastMs += 1;
  return lastMs;
}

/** Ids of accounts sort in the order of creation. */
export function newAccountId(): string {
  return newId(nextMs());
}

export function sampleTask(accountId: string, changes: Partial<CreateTaskArgs> = {}): CreateTaskArgs {
  const now = nextMs();
  return {
    accountId,
    taskId: newId(now),
    now,
    taskType: 'standard',
    title: 'A title',
    profile: 'service-1.6',
    family: 'service',
    metadata: null,
    externalUserId: null,
    locale: 'en',
    isInteractive: true,
    isHidden: false,
    shareVisibility: 'private',
    shareId: null,
    apiKeyId: null,
    oauthClientId: null,
    projectId: null,
    agentId: null,
    taskConfig: {},
    message: { type: 'user_message', text: 'Do it.', kind: 'text' },
    ...changes,
  };
}

/** The ids of new tasks, in the order of their creation. */
export async function createTasks(database: Database, accountId: string, count: number): Promise<string[]> {
  const samples = Array.from({ length: count }, () => sampleTask(accountId));
  await Promise.all(samples.map((sample) => database.run(createTask, sample)));
  return samples.map(({ taskId }) => taskId);
}

export async function claim(database: Pick<Database, 'run'>, changes: Partial<ClaimArgs> = {}): Promise<ClaimedTask[]> {
  const args = {
    workerId: 'w1',
    ttlMs: 60_000,
    slots: 100,
    held: [],
    afterAccount: '',
    canTakeQuarantined: true,
    isIdle: true,
    ...changes,
  };
  return (await database.run(claimTasks, args)).tasks;
}

/** A new task and the lease that worker `w1` has on it. */
export async function createClaimed(database: Database, changes: Partial<ClaimArgs> = {}): Promise<ClaimedTask> {
  await createTasks(database, newAccountId(), 1);
  const [task] = await claim(database, changes);
  if (!task) throw new Error('nothing was due');
  return task;
}

export const usage: TokenUsage = { input: 100, output: 10, cached: 50 };
export const modelStarted: TaskEvent = { type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 };
export const stopped: TaskEvent = { type: 'stopped', by: 'agent' };

export function modelFinished(text = 'Done.', ...calls: ModelPart[]): TaskEvent {
  return { type: 'model_finished', step: 1, parts: [{ type: 'text', text }, ...calls], usage };
}

export function append(
  { accountId, taskId, fence }: Lease,
  events: readonly TaskEvent[],
  database: Pick<Database, 'run'>,
  expectSeq: number | null = null,
) {
  return database.run(appendEvents, { accountId, taskId, fence, now: nextMs(), events, expectSeq });
}

/** A query for all tasks of the account `a1`, oldest first. */
export const tasksOfA1: Omit<ListTasksArgs, 'limit'> = {
  ...{ accountId: 'a1', order: 'asc', afterId: null },
  ...{ taskType: null, apiKeyId: null, oauthClientId: null },
};

/** The settings of a schedule that runs every hour. */
export function sampleSchedule(name = 'schedule'): ScheduleSettings {
  const now = Date.now();
  return {
    ...{
      name,
      status: 'active',
      cron: null,
      intervalSeconds: 3600,
      runAtMs: null,
      timeZone: 'UTC',
      startAtMs: null,
      endAtMs: null,
    },
    ...{ anchorAtMs: now, conversation: 'new', overlap: 'skip', catchUp: 'last', nextRunAtMs: now + 3_600_000 },
    request: {
      ...{ message: { type: 'user_message', text: 'Hello', kind: 'text' }, names: {}, outputSchema: null, projectId: null },
      ...{ profile: null, family: 'service', locale: null, isInteractive: false, metadata: {} },
    },
  };
}
