import { driveTask } from '../../agent/drive.ts';
import { appendEnding, failureEvents } from '../../agent/ending.ts';
import { LeaseLost } from '../../agent/journal.ts';
import { type AgentPorts, TaskResources } from '../../agent/agent-ports.ts';
import { addTaints } from '../../rules/egress/trust.ts';
import type { TaskConfig } from '../../rules/events/task-event.ts';
import { classifyCrashes, maxCrashes } from '../../rules/tasks/crash-blame.ts';
import { emptyState } from '../../rules/tasks/task-state.ts';
import type { ClaimedTask } from '../../store/tasks/claims/task-claims.ts';
import type { Database } from '../../store/db/database.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import { appendAny } from './paid-append.ts';
import { suspendTask, wakeParent } from '../../store/tasks/subtasks.ts';
import { LeasedRows } from './leased-rows.ts';
import { LeasedWorkspace } from './run-workspace.ts';
import { LeasedSetup } from '../projects/run-setup.ts';
import type { ProjectSetups } from '../projects/project-setups.ts';
import { LeasedMemory, type RunMemoryParts } from '../memory/run-memory.ts';
import type { StateCache } from './state-cache.ts';
import { foldClaimed, saveFolded } from './task-folding.ts';
import { TaskJournal } from './task-journal.ts';
import { logFailedTurn } from './turn-failure-log.ts';
import type { WorkspaceKeeper } from './workspace-keeper.ts';

/** The abort reason of a worker that shuts down and cannot wait for the step to end. */
export class RunCut extends Error {
  constructor() {
    super('the worker is shutting down');
    this.name = 'RunCut';
  }
}

/**
 * `idle`: nothing more to do. `returned`: still running, for the next worker. `lost`: the lease is gone, because another worker has
 * the task, or it was stopped or deleted. `failed`: the run threw an error.
 */
export type RunResult = 'idle' | 'returned' | 'lost' | 'failed';

export interface RunParts {
  database: Database;
  ports: AgentPorts;
  release: AbortController;
  keeper: WorkspaceKeeper | null;
  states: StateCache;
  /** Where the memory of tasks is during their runs; without it, tasks have no memory. */
  memoryFolders?: RunMemoryParts['folders'];
  /** Runs the setup scripts of projects; without it, they are skipped. */
  setups?: Pick<ProjectSetups, 'find'>;
  /** See `TaskJournalParts`. */
  contentKey?: string | null;
  shouldYield(): boolean;
}

const poisonText = 'The task was ended because the workers that ran it kept failing, also after pauses between attempts.';

async function endBlindly(task: ClaimedTask, database: Database, { clock, log }: AgentPorts): Promise<RunResult> {
  const { accountId, taskId, fence } = task;
  const events = failureEvents(emptyState, 'worker_failed', poisonText);
  const { outcome } = await appendAny(database, { accountId, taskId, fence, now: clock.now(), events, expectSeq: null }, false);
  if (outcome === 'logged') logFailedTurn(log, task, events);
  return 'idle';
}

/** Poll interval of a suspended task for which no hint arrives. */
const suspendedMs = 10_000;

function leaseOf({ accountId, taskId, fence }: ClaimedTask): Lease {
  return { accountId, taskId, fence };
}

/** Tells the parent that its subtask has ended. If this fails, the parent notices later; nothing is lost. */
async function notifyParent(database: Database, accountId: string, taskId: string): Promise<void> {
  await database.run(wakeParent, { accountId, taskId }).catch(() => undefined);
}

function findSetup({ accountId }: Lease, { projectId, setup }: TaskConfig, setups: RunParts['setups']): LeasedSetup | null {
  if (setup !== 'on' || projectId === undefined || !setups) return null;
  return new LeasedSetup(setups, { accountId, projectId });
}

/** Drives one claimed task as far as possible. */
export async function runTask(
  task: ClaimedTask,
  { database, ports, release, keeper, states, memoryFolders, setups, contentKey = null, shouldYield }: RunParts,
): Promise<RunResult> {
  let journal: TaskJournal | undefined;
  let memory: LeasedMemory | undefined;
  let savedSeq = 0;
  const workspace = new LeasedWorkspace(task, keeper);
  const resources = new TaskResources();
  const saveMemory = async () => {
    if (memory?.isUsed && journal)
      await memory.saveRest(ports.workspaceOf(task), addTaints(journal.state.trust, resources.taints()));
  };
  release.signal.addEventListener('abort', () => void resources.abandon(), { once: true });
  try {
    // Its log may be what crashes the workers, or be unreadable: the second time it is ended without reading it.
    if (task.crashes > maxCrashes) return await endBlindly(task, database, ports);
    const folded = await foldClaimed(task, database, states);
    ({ savedSeq } = folded);
    const { state } = folded;
    const beforeIdle = async () => {
      await resources.close();
      await saveMemory();
      await workspace.save();
    };
    const { clock, log } = ports;
    journal = new TaskJournal({ database, clock, log, lease: task, state, release, contentKey, beforeIdle });
    if (classifyCrashes(task.crashes) === 'ended') {
      await appendEnding(journal, (current) => failureEvents(current, 'worker_failed', poisonText));
      return 'idle';
    }
    memory = memoryFolders && new LeasedMemory({ database, folders: memoryFolders, clock }, task, state.taskConfig);
    const rows = new LeasedRows({ database, clock, lease: task });
    const setup = findSetup(task, state.taskConfig, setups);
    const end = await driveTask(
      { task, journal, ports, workspace, resources, rows, setup, ...(memory && { memory }) },
      shouldYield,
    );
    if (end === 'suspended') await database.run(suspendTask, { ...leaseOf(task), delayMs: suspendedMs });
    if (end === 'idle' && task.parentId !== null) await notifyParent(database, task.accountId, task.parentId);
    savedSeq = await saveFolded(database, task, { state: journal.state, savedSeq });
    return end === 'yielded' ? 'returned' : 'idle';
  } catch (error) {
    if (error instanceof LeaseLost) return 'lost';
    if (error instanceof RunCut) return 'returned';
    throw error;
  } finally {
    journal?.close();
    ports.resourcePool.drop(resources);
    await resources.abandon();
    // However the run ended: what the journal folded is in the log.
    if (journal) states.keep(task, { state: journal.state, savedSeq });
    // Unless another worker has the task by now.
    await saveMemory().catch(() => undefined);
    // What is left here, the sweeper removes.
    await memory?.close().catch(() => undefined);
    // For the next worker: after a stop, a shutdown, or when the slot was reclaimed.
    await workspace.save();
  }
}
