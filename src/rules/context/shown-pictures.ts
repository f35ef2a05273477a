import type { TaskEvent } from '../events/task-event.ts';
import type { ToolResult, TranscriptEntry } from './transcript.ts';

/** A picture in a conversation, for models with vision. */
export interface PictureRef {
  blobId: string;
  bytes: number;
  /** Where the tool found the picture. */
  name?: string;
}

/** Tokens, as providers count a picture of a usual size. */
export const tokensPerPicture = 1500;

/** The pictures of one result: viewed by a tool, or attached to the user's answer. */
export function listResultPictures({ pictures = [], answer }: ToolResult): readonly PictureRef[] {
  return [...pictures, ...(answer?.attachments ?? []).filter(({ kind }) => kind === 'image')];
}

/** The pictures of an entry, in their order. */
export function listPictures(entry: TranscriptEntry): readonly PictureRef[] {
  if (entry.role === 'user') return (entry.attachments ?? []).filter(({ kind }) => kind === 'image');
  return entry.role === 'tool' ? entry.results.flatMap(listResultPictures) : [];
}

/** The blobs that a worker's event refers to, which stay as long as the log. */
export function listEventPictures(event: TaskEvent): string[] {
  if (event.type === 'picture_finished') return [event.blobId];
  return event.type === 'tool_finished' ? (event.pictures ?? []).map(({ blobId }) => blobId) : [];
}
