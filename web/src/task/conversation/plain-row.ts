import type { EventOf, LogRow } from './row.ts';

type PlainEvent =
  | EventOf<'explanation'>
  | EventOf<'step_repeated'>
  | EventOf<'error_message'>
  | EventOf<'structured_output_result'>;

/** The row of an event that needs nothing of those before it. */
export function plainRow(event: PlainEvent): LogRow {
  const { id: key, timestamp: atMs } = event;
  switch (event.type) {
    case 'explanation':
      return { kind: 'agent', key, atMs, text: event.explanation.content, attachments: [], isAside: true, askedBy: null };
    case 'step_repeated': {
      const { tool, reason, first_started_at: firstAt } = event.step_repeated;
      return { kind: 'repeat', key, atMs, tool, reason, firstAtMs: firstAt * 1000 };
    }
    case 'error_message': {
      const { error_type: errorType, content: text } = event.error_message;
      return { kind: 'error', key, atMs, errorType, text };
    }
    case 'structured_output_result': {
      const { success: isSuccess, value, error: problem } = event.structured_output_result;
      return { kind: 'result', key, atMs, isSuccess, value, problem };
    }
  }
}
