import { Fault } from '@errand/base/fault.ts';
import { continueRun, type RunStart, type StartedRun, startRun } from '../../store/schedules/run-starts.ts';
import type { Schedule } from '../../store/schedules/schedule-row.ts';
import { getTask } from '../../store/tasks/tasks.ts';
import type { Context } from '../contract/operation.ts';
import { planMessage, planTask } from '../tasks/requests/requested-task.ts';

/** A run that waits for a task is looked at again after this time, if nobody has noticed that the task ended. */
const lookAgainMs = 30_000;

/** The message to the task of the last run; null if there is none, if it was deleted, or if it waits: the message would be the answer. */
async function planFollowUp({ accountId, taskId, request }: Schedule, context: Context): Promise<RunStart | null> {
  if (taskId === null) return null;
  try {
    if ((await context.read(getTask, { accountId, taskId })).status === 'waiting') return null;
    return { kind: 'message', args: await planMessage(request, { accountId, taskId }, context) };
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return null;
    throw error;
  }
}

async function planStart(schedule: Schedule, context: Context): Promise<RunStart> {
  const followUp = schedule.conversation === 'same' ? await planFollowUp(schedule, context) : null;
  if (followUp) return followUp;
  const { name: title, apiKeyId, oauthClientId, request } = schedule;
  return { kind: 'task', args: await planTask(request, { title, apiKeyId, oauthClientId }, context) };
}

/** Starts a run, unless it has started already or its schedule makes it wait. */
export async function performRun(
  schedule: Schedule,
  { dueAtMs, isByHand }: { dueAtMs: number; isByHand: boolean },
  context: Context,
): Promise<StartedRun> {
  const start = await planStart(schedule, context);
  const key = { accountId: schedule.accountId, scheduleId: schedule.id };
  return context.write(start.kind === 'task' ? startRun : continueRun, {
    ...key,
    dueAtMs,
    now: context.now,
    start,
    isByHand,
    lookAgainMs,
  });
}
