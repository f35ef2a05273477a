import type { ModelPart } from '../events/task-event.ts';
import type { SeenPicture } from '../events/seen-picture.ts';
import type { PlacedAttachment } from '../messages/attachment-place.ts';

/** A tool's result of one call. */
export interface ToolResult {
  callId: string;
  tool: string;
  output: string;
  isError: boolean;
  /** What models that see are shown with it. */
  pictures?: readonly SeenPicture[];
  /** The user's message, if this is their answer to a question. */
  answer?: UserEntry;
}

/** A user message with its files. */
export interface UserEntry {
  role: 'user';
  text: string;
  attachments?: readonly PlacedAttachment[];
  /** The day it was written (`2026-11-23`, UTC); left out if the message before is of the same day. */
  day?: string;
  /** Says which structure the result will have. */
  isSchema?: true;
  /** Added by the service, not by the user. */
  isNote?: true;
  /** Replaces everything before it, except kept entries. */
  isSummary?: true;
}

/** The conversation as a model reads it. */
export type TranscriptEntry =
  | UserEntry
  /** `model`: the one that wrote it; only it can read what its provider sealed. */
  | { role: 'assistant'; parts: readonly ModelPart[]; model?: string }
  | { role: 'tool'; results: readonly ToolResult[] };
