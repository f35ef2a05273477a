import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { subtaskTool } from '../../rules/tasks/task-state.ts';
import { defineTool } from '../toolbox/tool.ts';
import { isWorkspaceFile } from '../toolbox/workspace-file.ts';

const input = z.strictObject({
  title: z.string().trim().min(1).max(200),
  instructions: z.string().trim().min(1).max(50_000).describe('It sees nothing else.'),
  files: z
    .array(z.string().refine(isWorkspaceFile, 'is no path of a file in the workspace'))
    .max(20)
    .optional()
    .describe('Copied to it.')
    .meta({ disclosure: 'bare' }),
});

export type SubtaskInput = z.infer<typeof input>;

/** What a call to this tool requests, or null if its input is invalid. */
export function readSubtaskInput(callInput: unknown): SubtaskInput | null {
  return input.safeParse(callInput).data ?? null;
}

export const createSubtaskTool = defineTool({
  name: subtaskTool,
  description: 'Hands a part to another agent; returns its answer and files. Several run side by side.',
  input,
  effect: 'keyed',
  needs: 'subtasks',
  summarize: ({ title }) => ({ brief: `Subtask: ${title}`, action: 'Working in a subtask', param: title }),
  run: () =>
    Promise.reject(new Fault('internal', 'This subtask was not created.', { detail: `${subtaskTool} is waited for, never run` })),
});
