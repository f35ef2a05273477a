import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { askTool } from '../../rules/tasks/task-state.ts';
import { defineTool } from '../toolbox/tool.ts';

const input = z.strictObject({
  question: z.string().trim().min(1).max(2000).describe('With what they need to know to answer it.'),
  suggestions: z.array(z.string().trim().min(1).max(200)).max(6).optional().describe('Likely answers.'),
});

/** The question of a call to this tool, and its suggested answers; null if its input is not a question. */
export function askedQuestion(callInput: unknown): { question: string; suggestions: readonly string[] } | null {
  const { success, data } = input.safeParse(callInput);
  if (!success) return null;
  const { suggestions = [] } = data;
  const list = suggestions.map((suggestion) => `\n- ${suggestion}`).join('');
  return { question: list === '' ? data.question : `${data.question}\n${list}`, suggestions };
}

export const askUser = defineTool({
  name: askTool,
  description: `Asks the user and pauses until they answer: only what they alone know or must decide. What runs in the sandbox ends. Call it alone.`,
  input,
  effect: 'retry',
  needs: 'user',
  summarize: ({ question }) => ({ brief: 'Asking the user', action: 'Asking', param: question }),
  run: () =>
    Promise.reject(new Fault('internal', 'This question was not delivered.', { detail: `${askTool} is answered, never run` })),
});
