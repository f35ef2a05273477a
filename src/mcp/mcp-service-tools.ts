import { z } from 'zod';

/** A tool of the service's MCP server, implemented by one operation of the API. */
export interface ServiceTool {
  name: string;
  title: string;
  description: string;
  /** The name of that operation. */
  operation: string;
  isReadOnly: boolean;
  input: z.ZodObject;
  /** The operation's input; query parameters are strings, as on the wire. */
  toRequest(input: Record<string, unknown>): Record<string, unknown>;
}

function defineServiceTool<Input extends z.ZodObject>(
  tool: Omit<ServiceTool, 'input' | 'toRequest'> & { input: Input; toRequest(input: z.output<Input>): Record<string, unknown> },
): ServiceTool {
  return tool;
}

const task_id = z.string().describe('Id of the task; agent-default-main_task is the conversation with the default agent.');
const limit = z.int().min(1).max(100).default(20);
const cursor = z.string().optional().describe('next_cursor of the page before.');
const profile = z.enum(['service-1.6', 'service-1.6-lite', 'service-1.6-max']).optional();

function page({ limit: count, cursor: after }: { limit: number; cursor?: string | undefined }): Record<string, unknown> {
  return { limit: String(count), ...(after !== undefined && { cursor: after }) };
}

export const serviceTools: readonly ServiceTool[] = [
  defineServiceTool({
    name: 'create_task',
    title: 'Create a task',
    description:
      'Gives an autonomous agent a task that it works on in the background, for minutes or hours. Returns the task id at once; ask get_task until the status is no longer running.',
    operation: 'task.create',
    isReadOnly: false,
    input: z.object({
      prompt: z.string().min(1).describe('What is to be done, with everything the agent needs to know.'),
      title: z.string().optional(),
      interactive: z.boolean().default(false).describe('Whether the agent may stop to ask questions.'),
      agent_profile: profile,
      project_id: z.string().optional(),
      structured_output_schema: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          'JSON schema that the final result must have; every object with additionalProperties false and all properties required.',
        ),
    }),
    toRequest: ({ prompt, interactive, ...rest }) => ({ message: { content: prompt }, interactive_mode: interactive, ...rest }),
  }),
  defineServiceTool({
    name: 'get_task',
    title: 'Look at a task',
    description: 'Tells the status of a task: running, waiting (it asked something), stopped (finished) or error.',
    operation: 'task.detail',
    isReadOnly: true,
    input: z.object({ task_id }),
    toRequest: (input) => input,
  }),
  defineServiceTool({
    name: 'list_messages',
    title: 'Read a conversation',
    description: 'Lists what was said and done in a task, newest first: answers of the agent with links to the files it made.',
    operation: 'task.listMessages',
    isReadOnly: true,
    input: z.object({
      task_id,
      limit,
      cursor,
      verbose: z.boolean().default(false).describe('Also tools, plans and explanations.'),
    }),
    toRequest: ({ verbose, ...input }) => ({ task_id: input.task_id, ...page(input), verbose: String(verbose) }),
  }),
  defineServiceTool({
    name: 'send_message',
    title: 'Answer or follow up',
    description: 'Sends a message to a task: answers its question, steers it while it runs, or goes on after it has stopped.',
    operation: 'task.sendMessage',
    isReadOnly: false,
    input: z.object({ task_id, message: z.string().min(1) }),
    toRequest: ({ task_id: id, message }) => ({ task_id: id, message: { content: message } }),
  }),
  defineServiceTool({
    name: 'stop_task',
    title: 'Stop a task',
    description: 'Stops a task. A message lets it go on later.',
    operation: 'task.stop',
    isReadOnly: false,
    input: z.object({ task_id }),
    toRequest: (input) => input,
  }),
  defineServiceTool({
    name: 'list_tasks',
    title: 'List tasks',
    description: 'Lists tasks, newest first.',
    operation: 'task.list',
    isReadOnly: true,
    input: z.object({ limit, cursor }),
    toRequest: page,
  }),
  defineServiceTool({
    name: 'list_artifacts',
    title: 'List artifacts',
    description: 'Lists files and sites that agents have made, newest first, with links that work for 48 hours.',
    operation: 'artifact.list',
    isReadOnly: true,
    input: z.object({ limit, cursor, task_id: task_id.optional(), query: z.string().optional().describe('Part of the name.') }),
    toRequest: ({ task_id: id, query, ...rest }) => ({ ...page(rest), ...(id && { task_id: id }), ...(query && { query }) }),
  }),
];
