import type { ModelPart } from '../events/task-event.ts';
import type { TranscriptEntry, UserEntry } from '../context/transcript.ts';
import { reminderMark } from '../context/plan-reminder.ts';

/** A reply that takes several steps, because it reached its output limit. */
export interface CutReply {
  text: string;
  /** How often the reply reached the limit. */
  cuts: number;
  /** The first step of the reply and its successful attempt. Readers get all pieces of the reply under these. */
  step: number;
  attempt: number;
}

/** How often a reply is continued before it is accepted as it is. */
export const maxContinuations = 8;

const goOn = `${reminderMark} Your reply reached the output limit and was cut. Go on exactly where it stops; do not repeat anything.`;
const startOver = `${reminderMark} Your reply reached the output limit before it had any text. Think less, and write in parts.`;

/** The result of a tool call that was truncated. */
export const cutCallAnswer = `Not done: your reply was cut at the output limit in the middle of this call. Write it in parts: a shorter call
first, then further calls that add the rest.`;

/** The visible text of a reply. */
export function readText(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** The reply so far, with one more part of it. */
export function addCut(known: CutReply | null, parts: readonly ModelPart[], place: { step: number; attempt: number }): CutReply {
  const { text, cuts, step, attempt } = known ?? { text: '', cuts: 0, ...place };
  return { text: text + readText(parts), cuts: cuts + 1, step, attempt };
}

/** Asks a model to continue a reply. */
export function askToGoOn({ text }: CutReply): UserEntry {
  return { role: 'user', text: text === '' ? startOver : goOn, isNote: true };
}

const asksToGoOn = (entry: TranscriptEntry | undefined) =>
  entry?.role === 'user' && entry.isNote === true && (entry.text === goOn || entry.text === startOver);

/** The latest reply of a conversation with all of its pieces, as its reader has it; empty if there is none. */
export function readLastReply(transcript: readonly TranscriptEntry[]): string {
  let text = '';
  for (let at = transcript.findLastIndex(({ role }) => role === 'assistant'); at >= 0; at -= 2) {
    const piece = transcript[at];
    if (piece?.role !== 'assistant') break;
    text = readText(piece.parts) + text;
    if (!asksToGoOn(transcript[at - 1])) break;
  }
  return text;
}
