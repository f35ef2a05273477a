import { z } from 'zod';
import { Fault, invalidField } from '../base/fault.ts';
import { isId } from '../base/ids.ts';
import { checkOutputSchema } from '../rules/output-schema.ts';
import type { OutputSchema, UserMessage } from '../rules/task-event.ts';
import { optional } from './fields.ts';
import { missing } from './input-check.ts';
import { isLongerThan } from './text-length.ts';

/** Characters of all text parts together (decisions, "Limits"). */
const maxTextLength = 200_000;
const maxTaskReferences = 20;

const contentPart = z
  .object({
    type: optional(z.enum(['text', 'file', 'voice'])),
    text: optional(z.string()),
    file_id: z.unknown().optional(),
    file_url: z.unknown().optional(),
    file_data: z.unknown().optional(),
  })
  .meta({ id: 'ContentPart', description: 'A text part has `text`, with or without `type`.' });

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
  })
  .meta({ id: 'Message' });

export type MessageInput = z.output<typeof messageField>;

export const outputSchemaField = z
  .unknown()
  .optional()
  .meta({ shownAs: { type: 'object', description: 'Schema of the wanted result, in the documented subset of JSON Schema.' } });

type ContentPart = z.output<typeof contentPart>;

function readPart(part: ContentPart, index: number): string {
  const field = `message.content[${index}]`;
  const isText = part.type === 'text' || part.type === undefined;
  const hasFile = part.file_id !== undefined || part.file_url !== undefined || part.file_data !== undefined;
  if (!isText || (hasFile && part.text === undefined)) {
    throw invalidField(field, 'attachments are not available on this server yet');
  }
  if (part.text === undefined) throw new Fault('invalid_argument', `${field}.text ${missing}`);
  return part.text;
}

function readContent(content: MessageInput['content']): string {
  const text = typeof content === 'string' ? content : content.map(readPart).join('\n');
  if (isLongerThan(text, maxTextLength))
    throw invalidField('message.content', `must have at most ${maxTextLength} characters of text`);
  if (text.trim() === '') throw invalidField('message.content', 'must not be empty');
  return text.toWellFormed();
}

/** Rooms that do not exist yet have nothing in them that a message could name. */
function checkNames({ connectors, enable_skills, force_skills, task_references = [] }: MessageInput): void {
  if (connectors?.length) throw invalidField('message.connectors', 'connector not installed');
  if (enable_skills?.length) throw invalidField('message.enable_skills', 'skill not found');
  if (force_skills?.length) throw invalidField('message.force_skills', 'skill not found');
  const field = 'message.task_references';
  if (task_references.length > maxTaskReferences) throw invalidField(field, `must have at most ${maxTaskReferences} items`);
  const wrong = task_references.findIndex((reference) => !isId(reference));
  if (wrong !== -1) throw invalidField(`${field}[${wrong}]`, 'must be a task id of 22 letters and digits');
}

function readOutputSchema(schema: unknown): Pick<UserMessage, 'outputSchema'> {
  if (schema === undefined || schema === null) return {};
  const problem = checkOutputSchema(schema);
  if (problem !== null) throw new Fault('invalid_argument', problem);
  return { outputSchema: schema as OutputSchema };
}

/** What a client's message puts into the log; 400 `invalid_argument` for one that cannot be worked on. */
export function readMessage(message: MessageInput, outputSchema: unknown): UserMessage {
  checkNames(message);
  const text = readContent(message.content);
  return { type: 'user_message', text, kind: 'text', ...readOutputSchema(outputSchema) };
}
