import type { Texts } from '../../text/en.ts';
import type { Step } from '../conversation/step.ts';
import { describeCall } from '../rows/tool-words.ts';

/** What a step was given or said, as plain text; empty for none. */
export function contentOf({ event }: Step): string {
  switch (event.type) {
    case 'tool_used':
      return event.tool_used.message.param;
    case 'user_message':
      return event.user_message.content;
    case 'assistant_message':
      return event.assistant_message.content;
    case 'explanation':
      return event.explanation.content;
    case 'error_message':
      return event.error_message.content;
    case 'structured_output_result': {
      const { success, value, error } = event.structured_output_result;
      return success ? JSON.stringify(value, null, 2) : (error ?? '');
    }
    case 'status_update':
      return event.status_update.status_detail.waiting_description ?? '';
  }
}

/** What a step is, in a few words. */
export function titleOf({ kind, event }: Step, text: Texts): string {
  if (event.type === 'tool_used') {
    const { tool, status: state, brief, message } = event.tool_used;
    return describeCall({ tool, state, brief, action: message.action }, text);
  }
  return kind === 'call' ? '' : text.workbench.kinds[kind];
}

const longestLine = 200;

/** The beginning of what a step was given or said, in one line. */
export function lineOf(step: Step): string {
  return contentOf(step).slice(0, longestLine).toWellFormed().replaceAll(/\s+/g, ' ').trim();
}
