import { describeEntry, type Hearing, type PlacedAttachment } from '../messages/attachment-place.ts';
import type { TaskEvent } from '../events/task-event.ts';
import type { TaskState, ToolResult, TranscriptEntry, UserEntry } from './task-shape.ts';

type Transcribed = Extract<TaskEvent, { type: 'voice_transcribed' }>;

/** A voice message that nobody has tried to transcribe yet. */
export function findUnheardVoice({ attachments }: Pick<TaskState, 'attachments'>): PlacedAttachment | undefined {
  return attachments.find(({ kind, hearing }) => kind === 'voice' && hearing === undefined);
}

function hearingOf({ text, problem }: Transcribed): Hearing {
  return text === null ? { problem: problem ?? 'it could not be read' } : { text };
}

/** What a voice message says, put where the message stands: in the conversation, before it, or in an answer to a question. */
export function applyHearing(
  { transcript, unheard, results, attachments }: TaskState,
  event: Transcribed,
): Pick<TaskState, 'unheard' | 'results' | 'attachments'> & { rewritten: readonly TranscriptEntry[] } {
  const hearing = hearingOf(event);
  const isMeant = ({ path }: PlacedAttachment) => path === event.path;
  const mark = (attachment: PlacedAttachment) => (isMeant(attachment) ? { ...attachment, hearing } : attachment);
  const markEntry = (entry: UserEntry): UserEntry =>
    entry.attachments?.some(isMeant) ? { ...entry, attachments: entry.attachments.map(mark) } : entry;
  const markResult = (result: ToolResult): ToolResult => {
    const answer = result.answer && markEntry(result.answer);
    return answer === result.answer || !answer ? result : { ...result, answer, output: describeEntry(answer) };
  };
  const rewritten = transcript.map((entry): TranscriptEntry => {
    if (entry.role === 'user') return markEntry(entry);
    if (entry.role === 'assistant') return entry;
    return entry.results.some(({ answer }) => answer) ? { role: 'tool', results: entry.results.map(markResult) } : entry;
  });
  return { rewritten, unheard: unheard.map(markEntry), results: results.map(markResult), attachments: attachments.map(mark) };
}
