import type { ModelPart } from '../../rules/events/task-event.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import type { ModelRequest } from '../model.ts';

/** Cached, because an entry is passed in every later step. */
const strippedEntries = new WeakMap<TranscriptEntry, TranscriptEntry>();

function stripPart(part: ModelPart): ModelPart[] {
  if (part.type === 'reasoning') return [];
  const { provider: _, ...plain } = part;
  return [plain];
}

function strip(entry: TranscriptEntry): TranscriptEntry {
  if (entry.role !== 'assistant') return entry;
  const known = strippedEntries.get(entry);
  if (known) return known;
  const stripped = { ...entry, parts: entry.parts.flatMap(stripPart) };
  strippedEntries.set(entry, stripped);
  return stripped;
}

/**
 * A request whose conversation has the reasoning, signatures and item ids of this model only: those of another one it can neither read nor
 * verify, and some providers refuse them.
 */
export function withOwnParts(request: ModelRequest, modelName: string): ModelRequest {
  const isForeign = (entry: TranscriptEntry) => entry.role === 'assistant' && (entry.model ?? modelName) !== modelName;
  if (!request.transcript.some(isForeign)) return request;
  return { ...request, transcript: request.transcript.map((entry) => (isForeign(entry) ? strip(entry) : entry)) };
}
