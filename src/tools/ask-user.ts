import { z } from 'zod';
import { Fault } from '../base/fault.ts';
import { askTool } from '../rules/task-state.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe("One clear question in the user's language, with what they need to know to answer it."),
  suggestions: z
    .array(z.string().trim().min(1).max(200))
    .max(6)
    .optional()
    .describe('Short answers the user is likely to choose from.'),
});

/** The text that puts a call of this tool to the user, and the likely answers in it; null when its input is not a question. */
export function askedQuestion(callInput: unknown): { question: string; suggestions: readonly string[] } | null {
  const { success, data } = input.safeParse(callInput);
  if (!success) return null;
  const { suggestions = [] } = data;
  const list = suggestions.map((suggestion) => `\n- ${suggestion}`).join('');
  return { question: list === '' ? data.question : `${data.question}\n${list}`, suggestions };
}

export const askUser = defineTool({
  name: askTool,
  description: `Asks the user a question and pauses the task until they answer; the answer is the result of this call.
Use it only when you cannot go on well without something that only the user knows or may decide, such as a choice between real alternatives or leave for a step that cannot be undone.
Do not ask what you can find out yourself or settle by a sensible assumption. Call it alone, after all other work that does not depend on the answer.`,
  input,
  effect: 'retry',
  interactive: true,
  account: ({ question }) => ({ brief: 'Asking the user', action: 'Asking', param: question }),
  run: () =>
    Promise.reject(new Fault('internal', 'This question reached nobody.', { detail: `${askTool} is answered, never run` })),
});
