import { listSpoken } from '../../rules/messages/attachment-place.ts';
import type { ToolResult, TranscriptEntry, UserEntry } from '../../rules/context/transcript.ts';
import type { Work } from './scripted-work.ts';

/** The position in a conversation. Derived from the transcript alone, so that a call repeated after a crash gets the same reply. */
export interface Position {
  work: Work;
  /** Replies given to this work so far. */
  place: number;
  /** Tool results since the work was requested. */
  results: readonly ToolResult[];
}

function countReplies(entries: readonly TranscriptEntry[]): number {
  return entries.filter((entry) => entry.role === 'assistant').length;
}

/** The start of the consecutive user messages that end at `last`; messages without a reply in between count as one. */
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
 * The latest requested work and its progress. Null if there is none, or if it was finished before the latest message, which then requests
 * nothing executable.
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
