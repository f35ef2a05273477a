import { pause } from '@errand/base/clock.ts';
import type { Model, ModelRequest } from '../models/model.ts';
import { explainLimit, type ReachedLimit } from '../rules/budgets/budget.ts';
import { type CallDemand, demandOf } from '../rules/budgets/reservation.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import { failureEvents } from './ending.ts';
import type { TaskRun } from './agent-ports.ts';

/** Pause before another attempt, after which another task's call may have ended. */
export const busyMs = 250;

type CallStart = Extract<TaskEvent, { type: 'model_started' | 'compact_started' | 'extract_started' }>;

/** The warning about a limit that is near or reached, unless it was given before. */
export function warnOf({ scope, period, credits, used, isWarned }: ReachedLimit): TaskEvent[] {
  return isWarned ? [] : [{ type: 'budget_warning', scope, period, credits, used }];
}

/** Handles a reached limit: waits for a higher one, or ends the task, unless something has arrived meanwhile. */
export async function stopAtLimit({ journal }: Pick<TaskRun, 'journal'>, limit: ReachedLimit): Promise<void> {
  const { scope, scopeId, period, onLimit, resetsAtMs: retryAtMs } = limit;
  const question = explainLimit(limit);
  const end: TaskEvent[] =
    onLimit === 'end'
      ? failureEvents(journal.state, 'budget_exceeded', question)
      : [{ type: 'waiting', callId: null, question, budget: { scope, scopeId, period, retryAtMs } }];
  await journal.appendIfCurrent([...warnOf(limit), ...end]);
}

/**
 * Logs the start of a model call once the task's budgets cover its maximum cost; if little is left, the reply must be shorter. Returns the
 * limit of the reply; null if the call must not be made: the task waits, has ended, or with `isCurrent` has received something.
 */
export async function beginPaidCall(
  { journal, ports }: TaskRun,
  model: Model,
  start: CallStart,
  isCurrent = false,
): Promise<Pick<ModelRequest, 'outputLimit'> | null> {
  const { inputRatio, step } = journal.state;
  const { price, outputLimit } = model;
  const demand = demandOf(start.estimatedInput * inputRatio, { price, outputLimit, isCalibrated: step > 0 });
  return begin({ journal, ports }, start, demand, isCurrent);
}

/**
 * Reserves credits for a call with a known maximum cost, in millionths of a credit, and logs its start. False if the call must not be made.
 */
export async function beginFixedCall(run: TaskRun, start: TaskEvent, mostCost: number): Promise<boolean> {
  return (await begin(run, start, { input: mostCost, perOutput: 0, mostOutput: 0 }, false)) !== null;
}

async function begin(
  { journal, ports }: Pick<TaskRun, 'journal' | 'ports'>,
  start: TaskEvent,
  demand: CallDemand,
  isCurrent: boolean,
): Promise<Pick<ModelRequest, 'outputLimit'> | null> {
  for (;;) {
    const begun = await journal.begin(start, demand, isCurrent);
    switch (begun.outcome) {
      case 'logged':
        // Some providers allow longer replies than the model is known for.
        return begun.outputLimit === null || demand.perOutput === 0 ? {} : { outputLimit: begun.outputLimit };
      case 'behind':
        return null;
      case 'refused':
        await stopAtLimit({ journal }, begun.limit);
        return null;
      case 'busy':
        await journal.attend((signal) => pause(ports.clock, busyMs, signal));
    }
  }
}
