import type { Attachment, TaskEvent } from '@errand/client';
import { Conversation } from '../task/conversation/conversation.ts';

const runUrls = import.meta.glob<string>('../../examples/*/run.json', { query: '?url', import: 'default', eager: true });
const fileUrls = import.meta.glob<string>('../../examples/*/files/*', { query: '?url', import: 'default', eager: true });

/** A finished task that is shipped with the application. */
export interface Example {
  title: string;
  /** What was asked for. */
  request: string;
  conversation: Conversation;
}

/** A file of the recording at its URL in the build; the query keeps the URL's form that of a signed one. */
function placeFile(name: string, attachment: Attachment): Attachment[] {
  const url = fileUrls[`../../examples/${name}/files/${attachment.filename}`];
  return url === undefined ? [] : [{ ...attachment, url: new URL(`${url}?recorded=true`, window.location.href).href }];
}

function placeFiles(name: string, event: TaskEvent): TaskEvent {
  const place = (attachments: readonly Attachment[]) => attachments.flatMap((attachment) => placeFile(name, attachment));
  if (event.type === 'user_message') {
    const { user_message: message } = event;
    return { ...event, user_message: { ...message, attachments: place(message.attachments) } };
  }
  if (event.type !== 'assistant_message') return event;
  const { assistant_message: message } = event;
  return { ...event, assistant_message: { ...message, attachments: place(message.attachments) } };
}

/** Loads an example by its name in the URL; null if there is none. */
export async function loadExample(name: string, signal: AbortSignal): Promise<Example | null> {
  const url = runUrls[`../../examples/${name}/run.json`];
  if (url === undefined) return null;
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { title, messages } = (await response.json()) as { title: string; messages: readonly TaskEvent[] };
  const conversation = new Conversation();
  for (const event of messages) conversation.append(placeFiles(name, event));
  const first = messages.find((event) => event.type === 'user_message');
  return { title, request: first?.user_message.content ?? '', conversation };
}
