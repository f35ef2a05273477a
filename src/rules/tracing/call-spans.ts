import type { CallBill, CallEstimate, CallFault } from '../events/call-cost.ts';
import type { LoggedEvent, TaskEvent } from '../events/task-event.ts';
import { spanIdOf, toolSpan } from './trace-ids.ts';
import { describeModel, describeReply, describeUsage, nameFinishReason } from './span-attributes.ts';
import { type AttributeValue, type OpenSpan, openSpan } from './span.ts';

type Of<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;

const kinds = {
  model_started: 'step',
  compact_started: 'summary',
  extract_started: 'extraction',
  rows_started: 'rows',
  picture_started: 'picture',
} as const;

/** The start of a call of a model, or of several calls about rows. */
export type CallStart = Of<keyof typeof kinds> & CallEstimate;

export function isCallStart(event: TaskEvent): event is CallStart {
  return event.type in kinds;
}

const ends = new Set<TaskEvent['type']>([
  ...(['model_finished', 'model_failed', 'compact_failed', 'compact_part', 'compacted'] as const),
  ...(['extract_failed', 'extract_incomplete', 'extract_finished', 'rows_failed', 'rows_finished'] as const),
  ...(['picture_failed', 'picture_finished'] as const),
]);

/** The end of such a call. */
export type CallEnd = TaskEvent & CallBill & CallFault;

export function isCallEnd(event: TaskEvent): event is CallEnd {
  return ends.has(event.type);
}

interface Place {
  taskId: string;
  parentSpanId: string;
}

/** The span of a model call that begins. */
export function beginCall({ seq, atMs, event }: LoggedEvent & { event: CallStart }, { taskId, parentSpanId }: Place): OpenSpan {
  const model = describeModel(event.model);
  const inTool = event.type === 'rows_started' || event.type === 'picture_started';
  const operation = event.type === 'picture_started' ? 'generate_content' : 'chat';
  return openSpan({
    spanId: spanIdOf(taskId, `call ${seq}`),
    parentSpanId: inTool ? spanIdOf(taskId, toolSpan(event.callId)) : parentSpanId,
    name: `${operation} ${String(model['gen_ai.request.model'])}`,
    kind: 'client',
    startMs: atMs,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.conversation.id': taskId,
      ...model,
      'errand.call.kind': kinds[event.type],
      ...('attempt' in event && { 'errand.call.attempt': event.attempt }),
      ...('rows' in event && { 'errand.call.rows': event.rows }),
    },
  });
}

/** What the end of a call tells of it. `hasContent`: with the reply itself. */
export function describeEnd(event: CallEnd, hasContent: boolean): Record<string, AttributeValue> {
  const usage = describeUsage(event);
  if (event.type !== 'model_finished') return usage;
  const reason = nameFinishReason(event.parts, event.isContinued === true);
  return {
    ...usage,
    'gen_ai.response.finish_reasons': [reason],
    ...(hasContent && { 'gen_ai.output.messages': describeReply(event.parts, reason) }),
  };
}

/** The kind of error that a call ended with; null for one that succeeded. */
export function findCallError(event: CallEnd): string | null {
  if (event.type === 'extract_failed' && event.isMisfit) return 'malformed';
  return event.type.endsWith('_failed') ? (event.kind ?? '_OTHER') : null;
}
