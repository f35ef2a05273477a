import type { ModelPart } from '../events/task-event.ts';
import type { TranscriptEntry } from './transcript.ts';

interface Piece {
  heading: string;
  text: string;
  /** Importance of the entry: user messages and summaries count more than tool results. */
  weight: number;
}

function readPart(part: ModelPart): Piece[] {
  if (part.type === 'reasoning') return [];
  if (part.type === 'text') return part.text === '' ? [] : [{ heading: 'You wrote', text: part.text, weight: 2 }];
  return [{ heading: `You called ${part.tool}`, text: JSON.stringify(part.input ?? null), weight: 1 }];
}

function readEntry(entry: TranscriptEntry): Piece[] {
  if (entry.role === 'user') {
    if (entry.isSummary) return [{ heading: 'Summary of what came before', text: entry.text, weight: 40 }];
    return [{ heading: entry.isNote ? 'Note' : 'The user wrote', text: entry.text, weight: 8 }];
  }
  if (entry.role === 'assistant') return entry.parts.flatMap(readPart);
  return entry.results.map(({ tool, output, isError }) => ({
    heading: `${isError ? 'Error' : 'Result'} of ${tool}`,
    text: output,
    weight: 1,
  }));
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()} […]`;
}

const lengths = [16_000, 8000, 4000, 2000, 1000, 500, 250, 120, 60];

/** A conversation as text with a maximum length: long pieces are cut and, if necessary, the oldest omitted. */
export function digestConversation(transcript: readonly TranscriptEntry[], maxCharacters: number): string {
  const pieces = transcript.flatMap(readEntry);
  const lines: string[] = [];
  for (const length of lengths) {
    lines.length = 0;
    for (const { heading, text, weight } of pieces) lines.push(`${heading}: ${shorten(text, length * weight)}`);
    if (lines.reduce((characters, line) => characters + line.length + 1, 0) <= maxCharacters) return lines.join('\n');
  }
  return lines.join('\n').slice(-maxCharacters).toWellFormed();
}
