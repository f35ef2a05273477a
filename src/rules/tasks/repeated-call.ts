import type { RepeatReason, TaskEvent } from '../events/task-event.ts';
import type { PendingCall } from './task-shape.ts';

const endings: Record<RepeatReason, string> = {
  drain: 'the service was restarted',
  takeover: 'another worker took the task over',
  crash: 'the worker that ran it failed',
};

/** Notes the start of a call. */
export function noteStart(
  call: PendingCall,
  { attempt }: Extract<TaskEvent, { type: 'tool_started' }>,
  atMs: number,
): PendingCall {
  return { ...call, starts: attempt, firstStartedAtMs: call.firstStartedAtMs ?? atMs };
}

/** The events of a call that begins, logged before it can take effect; a repetition is logged in the same write as its start. */
export function startEvents({ id: callId, tool, starts, firstStartedAtMs }: PendingCall, reason: RepeatReason): TaskEvent[] {
  const attempt = starts + 1;
  const start: TaskEvent = { type: 'tool_started', callId, tool, attempt };
  if (starts === 0) return [start];
  return [{ type: 'step_repeated', callId, tool, attempt, reason, firstStartedAtMs: firstStartedAtMs ?? 0 }, start];
}

/** What the model reads with the result of a call that was run again; null for one that was run once. */
export function explainRepetition({ starts, firstStartedAtMs }: PendingCall, reason: RepeatReason): string | null {
  if (starts === 0) return null;
  const since = firstStartedAtMs === undefined ? '' : `, begun at ${new Date(firstStartedAtMs).toISOString()},`;
  const run = starts === 1 ? 'an earlier run' : `${starts} earlier runs`;
  return `[This is the result of a repetition: ${run} of this call${since} did not end, because ${endings[reason]}. What ran before may have
had effects; check them if that matters.]`;
}
