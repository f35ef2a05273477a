import type { ModelPart } from '../events/task-event.ts';
import type { SeenPicture } from '../events/seen-picture.ts';
import type { PlacedAttachment } from '../messages/attachment-place.ts';

/** A tool's result of one call. */
export interface ToolResult {
  callId: string;
  tool: string;
  output: string;
  isError: boolean;
  /** Pictures that are shown to models with vision. */
  pictures?: readonly SeenPicture[];
  /** The user's message, if this is their answer to a question. */
  answer?: UserEntry;
}

/** A user message with its files. */
export interface UserEntry {
  role: 'user';
  text: string;
  attachments?: readonly PlacedAttachment[];
  /** The UTC date of the message (`2026-11-23`); omitted in notes of the service and in an answer of the date of the previous message. */
  day?: string;
  /** Whether the entry states the structure of the result. */
  isSchema?: true;
  /** Whether the service added the entry, not the user. */
  isNote?: true;
  /** Whether the entry replaces everything before it, except kept entries. */
  isSummary?: true;
}

/** The conversation as a model reads it. */
export type TranscriptEntry =
  | UserEntry
  /** `model` wrote the entry; only this model can read what its provider sealed. */
  | { role: 'assistant'; parts: readonly ModelPart[]; model?: string }
  | { role: 'tool'; results: readonly ToolResult[] };
