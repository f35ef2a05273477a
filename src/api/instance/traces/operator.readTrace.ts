import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { readLogPage } from '../../../store/events/sized-page.ts';
import { readTracedTask } from '../../../store/tracing/trace-queue.ts';
import { cursor, queryFlag, requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';

/** Spans after which a page ends with the current turn. */
const spansOfPage = 500;

function readCursor(text: string | undefined): number {
  if (text !== undefined && !/^\d{1,12}$/.test(text))
    throw invalidField('cursor', 'must be the next_cursor of the request before');
  return Number(text ?? 0);
}

export const operatorReadTrace = defineOperation('GET', 'operator.readTrace', {
  summary: 'Reads the trace of a task, turn by turn.',
  details: 'What a turn that has not ended has done so far is on the last page; its own span is missing.',
  access: 'operator',
  request: z.object({
    task_id: requiredText('Identifier of the task.'),
    content: queryFlag('Whether spans contain messages, replies, and the arguments and results of tools.'),
    cursor,
  }),
  response: z.object({
    spans: z.array(z.looseObject({})).meta({ description: 'Spans as the OpenTelemetry protocol has them in JSON.' }),
    next_cursor: z.string().optional(),
  }),
  async handle({ task_id: taskId, content: hasContent, cursor: from }, { principal: { accountId }, read }) {
    const { readSpans } = await import('../../../rules/tracing/log-spans.ts');
    const { encodeSpan } = await import('../../../rules/tracing/otlp-json.ts');
    const task = await read(readTracedTask, { accountId, taskId });
    if (!task) throw new Fault('not_found', 'task not found');
    const readNext = async (afterSeq: number) => (await read(readLogPage, { accountId, taskId, afterSeq })).events;
    const afterSeq = readCursor(from);
    const spans: Record<string, unknown>[] = [];
    for await (const part of readSpans({ task, hasContent, afterSeq, read: readNext })) {
      spans.push(...part.spans.map(encodeSpan));
      if (spans.length >= spansOfPage && part.isEndOfTurn) return { spans, next_cursor: String(part.endSeq) };
    }
    return { spans };
  },
});
