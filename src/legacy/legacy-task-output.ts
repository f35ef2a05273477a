import { z } from 'zod';
import type { Context } from '../api/contract/operation.ts';
import { taskListMessages } from '../api/tasks/task.listMessages.ts';
import type { PublicEvent } from '../rules/events/present.ts';
import { askCurrent } from './legacy-operation.ts';

const outputContent = z.union([
  z.object({ type: z.literal('output_text'), text: z.string() }),
  z.object({ type: z.literal('output_file'), fileUrl: z.string(), fileName: z.string(), mimeType: z.string() }),
]);

export const outputItem = z.object({
  id: z.string(),
  type: z.literal('message'),
  status: z.literal('completed'),
  role: z.enum(['user', 'assistant']),
  content: z.array(outputContent),
});

export type OutputItem = z.output<typeof outputItem>;

interface Page {
  messages: PublicEvent[];
  has_more: boolean;
  next_cursor?: string;
}

const pageSize = 200;
/** How much of a conversation is returned, counted from its end: polling clients want what is new. Items, and characters. */
const longestOutput = { items: 2000, characters: 1_000_000 };

interface Said {
  content: string;
  attachments: { url: string; filename: string; content_type: string }[];
}

function toItem(id: string, role: OutputItem['role'], { content, attachments }: Said): OutputItem {
  const files = attachments.map((file) => ({
    type: 'output_file' as const,
    fileUrl: file.url,
    fileName: file.filename,
    mimeType: file.content_type,
  }));
  return { id, type: 'message', status: 'completed', role, content: [{ type: 'output_text', text: content }, ...files] };
}

/** A structured result, as JSON. */
function readResult({ id, structured_output_result: result }: PublicEvent): OutputItem[] {
  const { success, value } = result as { success: boolean; value: unknown };
  return success ? [toItem(id, 'assistant', { content: JSON.stringify(value), attachments: [] })] : [];
}

function readItem(event: PublicEvent): OutputItem[] {
  if (event.type === 'user_message') return [toItem(event.id, 'user', event.user_message as Said)];
  if (event.type === 'assistant_message') return [toItem(event.id, 'assistant', event.assistant_message as Said)];
  if (event.type === 'structured_output_result') return readResult(event);
  return [];
}

/** The conversation of a task and its last error message. */
export interface Conversation {
  /** The conversation in order, including the user's turns. */
  output: OutputItem[];
  error: string | null;
  /** Why the last turn has no structured result although one was asked for. */
  missingResult: string | null;
  /** Characters of its texts. */
  length: number;
}

function lengthOf(output: readonly OutputItem[]): number {
  const parts = output.flatMap(({ content }) => content);
  return parts.reduce((sum, part) => sum + (part.type === 'output_text' ? part.text.length : 0), 0);
}

function readMissingResult(events: readonly PublicEvent[]): string | null {
  const last = events.find(({ type }) => type === 'structured_output_result' || type === 'user_message');
  const result = last?.structured_output_result as { success: boolean; error: string } | undefined;
  return result?.success === false ? result.error : null;
}

/** What events say, newest first as lists have them. */
export function toConversation(events: readonly PublicEvent[]): Conversation {
  const error = events.find(({ type }) => type === 'error_message')?.error_message as { content: string } | undefined;
  const output = events.flatMap(readItem).reverse();
  return { output, error: error?.content ?? null, missingResult: readMissingResult(events), length: lengthOf(output) };
}

export interface ConversationForm {
  /** The format of slides among the files. */
  slidesFormat: 'html' | 'pptx';
  /** Whether structured results are part of it. */
  hasResults: boolean;
}

/** The conversation of a task. */
export async function readConversation(
  taskId: string,
  { slidesFormat, hasResults }: ConversationForm,
  context: Context,
): Promise<Conversation> {
  const events: PublicEvent[] = [];
  const read = { items: 0, characters: 0 };
  let cursor: string | undefined;
  do {
    const query = {
      task_id: taskId,
      limit: String(pageSize),
      slides_format: slidesFormat,
      ...(cursor !== undefined && { cursor }),
    };
    const page: Page = await askCurrent<Page>(taskListMessages, query, context);
    const shown = page.messages.filter(({ type }) => hasResults || type !== 'structured_output_result');
    events.push(...shown);
    const items = shown.flatMap(readItem);
    read.items += items.length;
    read.characters += lengthOf(items);
    cursor = page.has_more ? page.next_cursor : undefined;
  } while (cursor !== undefined && read.items < longestOutput.items && read.characters < longestOutput.characters);
  return toConversation(events);
}
