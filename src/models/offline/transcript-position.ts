import { listSpoken } from '../../rules/messages/attachment-place.ts';
import type { ToolResult, TranscriptEntry, UserEntry } from '../../rules/context/transcript.ts';
import type { Work } from './scripted-work.ts';

/** Where a conversation stands. Read from nothing but the transcript, so that a call made again after a crash is answered alike. */
export interface Position {
  work: Work;
  /** Replies given to this work so far. */
  place: number;
  /** Results of tools since the work was given. */
  results: readonly ToolResult[];
}

function countReplies(entries: readonly TranscriptEntry[]): number {
  return entries.filter((entry) => entry.role === 'assistant').length;
}

/** Where the user messages begin that end at `last`; messages without a reply between them count as one. */
function findGroupStart(transcript: readonly TranscriptEntry[], last: number): number {
  let first = last;
  while (transcript[first - 1]?.role === 'user') first -= 1;
  return first;
}

function readWords({ text, attachments }: UserEntry): string {
  return [text, ...listSpoken(attachments).map((spoken) => spoken.text)].join('\n');
}

function joinTexts(entries: readonly TranscriptEntry[]): string {
  return entries.map((entry) => (entry.role === 'user' && !entry.isNote ? readWords(entry) : '')).join('\n');
}

/**
 * The latest work that was asked for, and how far it is. Null when there is none, or when it was over before the latest
 * message came, which then asks for nothing that could be done.
 */
export function findPosition(transcript: readonly TranscriptEntry[], readWork: (text: string) => Work | null): Position | null {
  let interruptedAt = transcript.length;
  for (let last = transcript.length - 1; last >= 0; last--) {
    if (transcript[last]?.role !== 'user') continue;
    const first = findGroupStart(transcript, last);
    const work = readWork(joinTexts(transcript.slice(first, last + 1)));
    if (work) {
      const wasInterrupted = interruptedAt < transcript.length;
      if (wasInterrupted && countReplies(transcript.slice(last, interruptedAt)) >= work.plannedReplies) return null;
      const since = transcript.slice(last + 1);
      return {
        work,
        place: countReplies(since),
        results: since.flatMap((entry) => (entry.role === 'tool' ? entry.results : [])),
      };
    }
    interruptedAt = first;
    last = first;
  }
  return null;
}
