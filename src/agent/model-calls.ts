import { pause } from '@errand/base/clock.ts';
import { type Model, ModelFault, type ModelReply, type ModelRequest, type ReplyWatcher } from '../models/model.ts';
import { chooseModelAt, rotateModels } from '../rules/tasks/model-choice.ts';
import { findLongestPause, planModelRetry } from '../rules/tasks/model-retry.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import type { TaskRun } from './agent-ports.ts';

/** The models of the task's profile, the first one first. */
function listModels({ task, ports }: Pick<TaskRun, 'task' | 'ports'>): readonly Model[] {
  const first = ports.modelFor(task);
  return [first, ...(first.fallbacks ?? [])];
}

function isFailing({ journal: { state } }: Pick<TaskRun, 'journal'>): boolean {
  return (
    state.failures > 0 || state.extraction.failingSince > 0 || state.compaction.failingSince > 0 || state.rows.failingSince > 0
  );
}

/** The model to call now: the profile's first, or the one that replaces it while it is unavailable. */
export function chooseModel(run: Pick<TaskRun, 'task' | 'ports' | 'journal'>): Model {
  const models = listModels(run);
  const { modelInUse: inUse } = run.journal.state;
  const names = models.map(({ name }) => name);
  const at = chooseModelAt(names, { inUse, isFailing: isFailing(run), nowMs: run.ports.clock.now() });
  return models[at] ?? run.ports.modelFor(run.task);
}

/** Whether another model of the profile has vision and this one has not. */
export function isBlinder(run: Pick<TaskRun, 'task' | 'ports'>, { canSee }: Model): boolean {
  return canSee !== true && listModels(run).some((each) => each.canSee === true);
}

/** Waits until the next call is due, and until a change of the models is complete. */
export async function awaitCall({ task, journal, ports }: TaskRun, notBefore: number): Promise<void> {
  // Never longer than any planned pause: the clock may have been set back since.
  const waitMs = Math.min(notBefore - ports.clock.now(), findLongestPause(ports.modelFor(task).patienceMs));
  if (waitMs > 0) await journal.attend((signal) => pause(ports.clock, waitMs, signal));
  await ports.settleModels(task);
}

export type CallKind = 'step' | 'extraction' | 'summary' | 'row';

/** Makes one call of a model. A failed call is a line in the service's log. */
export async function callModel(
  { task, journal, ports }: TaskRun,
  model: Model,
  kind: CallKind,
  prepare: (signal: AbortSignal) => Promise<{ request: ModelRequest } & Partial<ReplyWatcher>>,
): Promise<ModelReply> {
  const startedAt = ports.clock.monotonic();
  try {
    return await journal.attend(async (signal) => {
      const { request, onText = () => undefined, ...watcher } = await prepare(signal);
      return model.call(request, { signal, onText, ...watcher });
    });
  } catch (error) {
    if (error instanceof ModelFault) {
      const ids = { account_id: task.accountId, task_id: task.taskId };
      const about = { ...ids, model: model.name, call: kind, kind: error.kind, reason: error.message };
      const ms = Math.round(ports.clock.monotonic() - startedAt);
      const { requestId } = error;
      ports.log.warn({ ...about, ms, ...(requestId !== undefined && { request_id: requestId }) }, 'a model call failed');
    }
    throw error;
  }
}

interface FailedAttempt {
  /** 1 for the first call. */
  attempt: number;
  /** When the first failed call of the step failed; 0 if there was none. */
  failingSince: number;
}

/** What follows a failed call. */
export interface RetryPlan {
  retryAt: number;
  switchTo?: string;
  /** What readers of the task are told if the outage is waited out; empty otherwise. */
  waiting: Extract<TaskEvent, { type: 'model_waiting' }>[];
}

/**
 * The plan after a failed call: another model of the profile at once, and after the last model a pause. Null to give up. A refused request
 * goes to no other model.
 */
export function planRetry(
  run: TaskRun,
  model: Model,
  fault: ModelFault,
  { attempt, failingSince }: FailedAttempt,
): RetryPlan | null {
  if (fault.kind === 'refused') return null;
  const { ports, task } = run;
  const models = listModels(run);
  const at = models.findIndex(({ name }) => name === model.name);
  const { next, isRoundOver, round } = rotateModels(models.length, Math.max(0, at), attempt);
  const nowMs = ports.clock.now();
  const switched = models.length > 1 ? { switchTo: models[next]?.name ?? model.name } : {};
  if (!isRoundOver) return { retryAt: nowMs, ...switched, waiting: [] };
  const failingSinceMs = failingSince || nowMs;
  const { patienceMs } = ports.modelFor(task);
  const asked = { attempt: round, nowMs, failingSinceMs, retryAfterMs: fault.retryAfterMs, chance: ports.chance(), patienceMs };
  const retryAt = planModelRetry(asked);
  if (retryAt === null) return null;
  const waiting = { type: 'model_waiting' as const, model: model.name, sinceMs: failingSinceMs, nextTryAtMs: retryAt };
  return { retryAt, ...switched, waiting: [waiting] };
}
