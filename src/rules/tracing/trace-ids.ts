import { createHash } from 'node:crypto';
import { formatTraceparent, parseTraceparent } from './trace-context.ts';

/** A task as its trace needs it. */
export interface TracedTask {
  taskId: string;
  /** The `traceparent` of the request or the call that created it; null or absent for none. */
  traceparent?: string | null;
}

function digest(text: string, digits: number): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, digits);
  // IDs of zeros are invalid.
  return /^0+$/.test(hex) ? hex.replace(/0$/, '1') : hex;
}

/** The trace of a task: that of its creator, or one of its own. The same for every worker and every export. */
export function traceOf({ taskId, traceparent = null }: TracedTask): { traceId: string; parentSpanId: string | null } {
  const parent = traceparent === null ? null : parseTraceparent(traceparent);
  return parent
    ? { traceId: parent.traceId, parentSpanId: parent.spanId }
    : { traceId: digest(`trace of task ${taskId}`, 32), parentSpanId: null };
}

/** The ID of the span of a task with this name, which is unique in the task. */
export function spanIdOf(taskId: string, name: string): string {
  return digest(`span ${name} of task ${taskId}`, 16);
}

/** The first turn of a task, above which there is no other span of it. */
export const rootSpan = 'root';

/** The span of a tool call; IDs of calls are unique in a task. */
export function toolSpan(callId: string): string {
  return `tool ${callId}`;
}

/**
 * The `traceparent` to send along with what a task does in one of its spans. Without tracing, the task has no spans: what its creator sent is
 * passed on. Null for none.
 */
export function traceparentOf(task: TracedTask, span: string, isTraced: boolean): string | null {
  if (!isTraced) return task.traceparent ?? null;
  return formatTraceparent({ traceId: traceOf(task).traceId, spanId: spanIdOf(task.taskId, span), isSampled: true });
}

/** The `traceparent` to send along with what a tool call does; null for none. */
export function traceparentOfCall(task: TracedTask, callId: string, isTraced = false): string | null {
  return traceparentOf(task, toolSpan(callId), isTraced);
}
