import type { ToolResult, TranscriptEntry, UserEntry } from '../../context/transcript.ts';
import { describeEntry, type Transcription, type PlacedAttachment } from '../../messages/attachment-place.ts';
import type { TaskEvent } from '../../events/task-event.ts';
import type { TaskState } from '../task-shape.ts';

type Transcribed = Extract<TaskEvent, { type: 'voice_transcribed' }>;

/** A voice message without a transcription attempt. */
export function findPendingVoice({ attachments }: Pick<TaskState, 'attachments'>): PlacedAttachment | undefined {
  return attachments.find(({ kind, transcription }) => kind === 'voice' && transcription === undefined);
}

function transcriptionOf({ text, problem }: Transcribed): Transcription {
  return text === null ? { problem: problem ?? 'it could not be read' } : { text };
}

/** Inserts the transcript of a voice message where the message is: in the conversation, pending, or in an answer to a question. */
export function applyTranscription(
  { transcript, pendingMessages, results, attachments }: TaskState,
  event: Transcribed,
): Pick<TaskState, 'pendingMessages' | 'results' | 'attachments'> & { rewritten: readonly TranscriptEntry[] } {
  const transcription = transcriptionOf(event);
  const isMeant = ({ path }: PlacedAttachment) => path === event.path;
  const mark = (attachment: PlacedAttachment) => (isMeant(attachment) ? { ...attachment, transcription } : attachment);
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
  return {
    rewritten,
    pendingMessages: pendingMessages.map(markEntry),
    results: results.map(markResult),
    attachments: attachments.map(mark),
  };
}
