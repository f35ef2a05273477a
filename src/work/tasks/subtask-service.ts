import type { Subtasks, TaskFacts } from '../../agent/agent-ports.ts';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { emptyState, foldAll, maxSubtaskDepth } from '../../rules/tasks/task-state.ts';
import type { Trust } from '../../rules/egress/trust.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { CreditDemand } from '../../store/credits/credit-checks.ts';
import type { Database } from '../../store/db/database.ts';
import { readShown } from '../../store/events/events.ts';
import { readLogPage } from '../../store/events/sized-page.ts';
import type { WorkspaceKeeper } from './workspace-keeper.ts';
import { createSubtask, findSubtask } from '../../store/tasks/subtasks.ts';

/** The most subtasks of one task. */
const maxSubtasks = 50;

const refusals = {
  too_many: `The subtask was not made: a task can have ${maxSubtasks}. Do the rest yourself.`,
  too_deep: 'The subtask was not made: this task is itself a subtask of a subtask. Do the work yourself.',
  too_poor: 'The subtask was not made: the user has no credits left for it. Do what you can yourself.',
  no_parent: 'The subtask was not made: this task is no longer at work.',
};

/** The last message of the subtask, as its reader received it. */
async function readLastWords(database: Database, accountId: string, taskId: string): Promise<string> {
  const place = { accountId, taskId, order: 'desc' as const, isVerbose: false, fromSeq: null, limit: 20 };
  const page = await database.run(readShown, place);
  for (const { event } of page) {
    if (event.type === 'assistant_message' || event.type === 'error') return event.text;
    if (event.type === 'user_stopped') return 'It was stopped by the user.';
  }
  return 'It said nothing.';
}

/** Taints of the subtask, and where the newest version of each of its results lies in its workspace. */
async function readTraces(database: Database, accountId: string, taskId: string): Promise<{ trust: Trust; delivered: string[] }> {
  const delivered = new Map<string, string>();
  let state = emptyState;
  for (;;) {
    const { events, hasMore } = await database.run(readLogPage, { accountId, taskId, afterSeq: state.seq });
    state = foldAll(events, state);
    for (const { event } of events)
      if (event.type === 'file_delivered') delivered.set(event.artifactId, event.from ?? event.path);
    if (!hasMore) return { trust: state.trust, delivered: [...delivered.values()] };
  }
}

export interface SubtaskServiceParts {
  database: Database;
  clock: Clock;
  /** Null if workspaces never leave this machine. */
  keeper: WorkspaceKeeper | null;
  /** Credits that an account needs for more work; null if they are not enforced. */
  demandFor(accountId: string, now: number): Promise<CreditDemand | null>;
}

/** Subtasks in the store. */
export function createSubtaskService({ database, clock, keeper, demandFor }: SubtaskServiceParts): Subtasks {
  const find = ({ accountId, taskId: parentId }: TaskFacts, taskId: string): Promise<TaskStatus | null> =>
    database.run(findSubtask, { accountId, parentId, taskId });

  return {
    find,
    async create({ accountId, taskId: parentId }, taskId, { title, instructions, inherited, taskConfig, traceparent }) {
      const { connectorGrant, persona: _persona, forcedSkills: _forced, ...passedOn } = taskConfig;
      const words = { type: 'user_message' as const, text: instructions, kind: 'text' as const, inherited };
      const traced = traceparent === null ? words : { ...words, traceparent };
      const message = connectorGrant === undefined ? traced : { ...traced, connectorGrant };
      const bounds = { maxSubtasks, maxDepth: maxSubtaskDepth };
      const now = clock.now();
      const creditDemand = await demandFor(accountId, now);
      // So that any machine that claims it finds its files.
      const copyId = (await keeper?.copyFirst(accountId, taskId)) ?? null;
      const request = { accountId, parentId, taskId, now, title, message, creditDemand, copyId, taskConfig: passedOn, ...bounds };
      try {
        const outcome = await database.run(createSubtask, request);
        return outcome === 'created' || outcome === 'there' ? null : refusals[outcome];
      } catch (error) {
        if (error instanceof Fault && error.code === 'resource_exhausted') return refusals.too_poor;
        throw error;
      }
    },
    async readResult(parent, taskId) {
      const { accountId } = parent;
      const status = (await find(parent, taskId)) ?? 'error';
      // It may have run on another machine; while it is idle, nobody changes its files, and they are not packed while they are copied.
      await keeper?.restoreToRead({ accountId, taskId });
      const { trust, delivered } = await readTraces(database, accountId, taskId);
      return { status, text: await readLastWords(database, accountId, taskId), delivered, trust };
    },
  };
}
