import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

/** The conversation of another task, as its user saw it. */
export interface TaskTranscript {
  title: string;
  status: string;
  /** Oldest first. */
  messages: readonly { from: 'user' | 'agent'; text: string }[];
  /** Number of earlier messages left out. */
  omitted: number;
}

/** Reads a task of the account; null for one that it does not have. */
export type ReadTranscript = (accountId: string, taskId: string) => Promise<TaskTranscript | null>;

const input = z.strictObject({ task_id: z.string() });

function describe({ title, status, messages, omitted }: TaskTranscript): string {
  const said = messages.map(({ from, text }) => `${from === 'user' ? 'User' : 'Agent'}: ${text}`);
  const before = omitted > 0 ? [`[${omitted} earlier messages are left out]`] : [];
  return [`Task "${title}" (${status})`, ...before, ...said].join('\n\n');
}

/** Only tasks that the user referred to can be read: others are none of the model's business. */
export function createReadTask(readTranscript: ReadTranscript): Tool {
  return defineTool({
    name: 'read_task',
    description: 'Shows the messages of another task that the user referred to.',
    input,
    effect: 'retry',
    onlyReads: true,
    needs: 'references',
    reads: 'private',
    summarize: ({ task_id }) => ({ brief: 'Reading another task', action: 'Reading task', param: task_id }),
    async run({ task_id }, { accountId, references }) {
      const transcript = references.includes(task_id) ? await readTranscript(accountId, task_id) : null;
      if (!transcript) throw new Fault('not_found', 'task not found');
      return { status: 'success', output: describe(transcript) };
    },
  });
}
