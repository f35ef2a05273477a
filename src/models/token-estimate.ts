import type { ModelPart, TokenUsage } from '../rules/events/task-event.ts';
import { describeEntry } from '../rules/messages/attachment-place.ts';
import { listPictures, tokensPerPicture } from '../rules/context/shown-pictures.ts';
import type { TranscriptEntry } from '../rules/context/transcript.ts';
import { hasGrown } from '../rules/context/transcript-growth.ts';
import type { ModelRequest, ToolDefinition } from './model.ts';

export const charactersPerToken = 4;
const charactersPerPicture = tokensPerPicture * charactersPerToken;

function countInput(input: unknown): number {
  return typeof input === 'string' ? input.length : JSON.stringify(input ?? null).length;
}

const toolLengths = new WeakMap<readonly ToolDefinition[], number>();

/** Cached: the same list is passed in every step of every task. */
function countTools(tools: readonly ToolDefinition[]): number {
  const length = toolLengths.get(tools) ?? JSON.stringify(tools).length;
  toolLengths.set(tools, length);
  return length;
}

function countParts(parts: readonly ModelPart[]): number {
  let characters = 0;
  for (const part of parts) characters += part.type === 'call' ? part.tool.length + countInput(part.input) : part.text.length;
  return characters;
}

const entryLengths = new WeakMap<TranscriptEntry, number>();

/** Cached: an entry never changes, and is passed in every later step. */
function countEntry(entry: TranscriptEntry): number {
  const length = entryLengths.get(entry) ?? measureEntry(entry);
  entryLengths.set(entry, length);
  return length;
}

function measureEntry(entry: TranscriptEntry): number {
  if (entry.role === 'assistant') return countParts(entry.parts);
  const pictures = charactersPerPicture * listPictures(entry).length;
  if (entry.role === 'user') return describeEntry(entry).length + pictures;
  return entry.results.reduce((characters, result) => characters + result.output.length, pictures);
}

interface Counted {
  transcript: readonly TranscriptEntry[];
  characters: number;
}

const countedByFirst = new WeakMap<TranscriptEntry, Counted>();

/** Estimates the tokens of a conversation. If it has only grown since the last estimate, only the new entries are counted. */
function countTranscript(transcript: readonly TranscriptEntry[]): number {
  const [first] = transcript;
  if (!first) return 0;
  const last = countedByFirst.get(first);
  const known = last && hasGrown(last.transcript, transcript) ? last : { transcript: [], characters: 0 };
  let { characters } = known;
  for (const entry of transcript.slice(known.transcript.length)) characters += countEntry(entry);
  countedByFirst.set(first, { transcript, characters });
  return characters;
}

/** Tokens of one entry of a conversation. */
export function estimateEntry(entry: TranscriptEntry): number {
  return countEntry(entry) / charactersPerToken;
}

/** Tokens of a prompt, estimated from its characters: for budgets before a call, and for bills if a provider does not report usage. */
export function estimateInput(request: ModelRequest): number {
  const rest = request.system.length + countTools(request.tools) + (request.reminder?.length ?? 0);
  return Math.ceil((rest + countTranscript(request.transcript)) / charactersPerToken);
}

/** Usage of a call whose provider did not report it. */
export function estimateUsage(request: ModelRequest, parts: readonly ModelPart[]): TokenUsage {
  return { input: estimateInput(request), output: Math.ceil(countParts(parts) / charactersPerToken), cached: 0 };
}
