import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { grantedConnectorsOf, isConfined } from '../../rules/accounts/access.ts';
import { checkOutputSchema } from '../../rules/output/output-schema.ts';
import type { OutputSchema, UserMessage } from '../../rules/events/task-event.ts';
import { optional } from '../contract/fields.ts';
import { getTask } from '../../store/tasks/tasks.ts';
import { missing } from '../contract/input-check.ts';
import { takeFiles } from './message-attachments.ts';
import { contentPart, type FilePart, readPart } from './message-part.ts';
import type { Context } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';
import { isLongerThan } from '../contract/text-length.ts';

/** Characters of all text parts combined (docs/reference/choices.md#limits). */
export const maxTextLength = 200_000;
const maxTaskReferences = 20;
/** Far more than anyone attaches by hand; each may need to be fetched. */
const maxFiles = 100;

const names = optional(z.array(z.string()));

export const messageField = z
  .object({
    content: z.union([z.string(), z.array(contentPart)], {
      error: ({ input }) => (input === undefined ? missing : 'must be a string or an array of parts'),
    }),
    connectors: names,
    enable_skills: names,
    force_skills: names,
    task_references: optional(z.array(z.string())),
    instructions: optional(z.string()).meta({
      description: 'For the agent, until another message replaces them; at most 20,000 characters. Not part of the conversation.',
    }),
  })
  .meta({ id: 'Message' });

export type MessageInput = z.output<typeof messageField>;

export const outputSchemaField = z
  .unknown()
  .optional()
  .meta({ shownAs: { type: 'object', description: 'Schema of the result, in the supported subset of JSON Schema.' } });

/** The text and files of a message; 400 if it has neither. */
function readContent(content: MessageInput['content']): { text: string; files: FilePart[] } {
  const parts = typeof content === 'string' ? [{ kind: 'text' as const, text: content }] : content.map(readPart);
  const files = parts.flatMap((part) => (part.kind === 'file' ? [part] : []));
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  if (isLongerThan(text, maxTextLength))
    throw invalidField('message.content', `must have at most ${maxTextLength} characters of text`);
  if (files.length > maxFiles) throw invalidField('message.content', `must have at most ${maxFiles} files`);
  if (text.trim() === '' && files.length === 0) throw invalidField('message.content', 'must not be empty');
  return { text: text.toWellFormed(), files };
}

function checkReferences({ task_references = [] }: MessageInput): void {
  const field = 'message.task_references';
  if (task_references.length > maxTaskReferences) throw invalidField(field, `must have at most ${maxTaskReferences} items`);
  const wrong = task_references.findIndex((reference) => !isId(reference));
  if (wrong !== -1) throw invalidField(`${field}[${wrong}]`, 'must be a task id of 22 letters and digits');
}

/**
 * An application that can only create tasks can reference only its own tasks, and a request for one person only theirs: otherwise 404 `not_found`
 * (docs/reference/wire-format.md#task-references). For other callers, the agent handles unknown references.
 */
async function checkReferenceRights({ references = [] }: UserMessage, context: Context): Promise<void> {
  if (!isConfined(context.principal)) return;
  for (const reference of references) await context.read(getTask, keyOfTask(reference, context));
}

/** The schema of a request; 400 names what is wrong with it. */
export function readOutputSchema(schema: unknown): Pick<UserMessage, 'outputSchema'> {
  if (schema === undefined || schema === null) return {};
  const problem = checkOutputSchema(schema);
  if (problem !== null) throw new Fault('invalid_argument', problem, { param: 'structured_output_schema' });
  return { outputSchema: schema as OutputSchema };
}

/** A checked message whose files have not been fetched yet. */
export interface CheckedMessage extends UserMessage {
  files: readonly FilePart[];
}

/**
 * Rejects with 400 `invalid_argument` for an invalid message, and with 404 for references to anything that is not the caller's.
 * @param taskId the task it is sent to, which it cannot reference; null for a new task
 */
export async function readMessageInput(
  message: MessageInput,
  outputSchema: unknown,
  taskId: string | null,
  context: Context,
): Promise<CheckedMessage> {
  checkReferences(message);
  const { text, files } = readContent(message.content);
  const kind = files.some(({ isVoice }) => isVoice) ? 'voice' : 'text';
  const named = [...new Set(message.task_references)].filter((reference) => reference !== taskId);
  const references = named.length > 0 ? { references: named } : {};
  const { traceparent } = context;
  const more = { ...references, ...readOutputSchema(outputSchema), ...(traceparent !== null && { traceparent }) };
  const checked: CheckedMessage = { type: 'user_message', text, kind, files, ...more };
  await checkReferenceRights(checked, context);
  return checked;
}

/** Describes a message without text by its filenames. */
export function nameFiles({ files }: CheckedMessage): string {
  return files.flatMap(({ filename }) => filename ?? []).join(', ');
}

/**
 * The log event of a checked message. Its files are durable when this resolves, but for those by URL that do not arrive within a few
 * seconds: they become `awaited`. Those of a request that has been answered are not fetched again, since their URLs may have expired: its
 * write is not repeated.
 * @param receiver what is sent the message; `later`: it is stored for tasks to come, so all its files have to be there
 */
export async function bringFiles(
  { files, ...message }: CheckedMessage,
  context: Context,
  receiver: 'task' | 'later' = 'task',
): Promise<UserMessage> {
  const connectorGrant = grantedConnectorsOf(context.principal);
  const said = connectorGrant === null ? message : { ...message, connectorGrant };
  if (files.length === 0 || (await context.recall())) return said;
  const { attachments, awaited } = await takeFiles(files, context, receiver === 'task');
  return { ...said, attachments, ...(awaited.length > 0 && { awaited }) };
}
