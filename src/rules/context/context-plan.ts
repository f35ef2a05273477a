import type { ToolResult, TranscriptEntry } from './transcript.ts';
import { tokensPerPicture } from './shown-pictures.ts';

/** The limits of a conversation. All sizes are tokens, partly estimated. */
export interface ContextBudget {
  /** Prompt and reply combined. */
  window: number;
  outputLimit: number;
  /** Tokens of everything else in each call: system prompt, tools, plan. */
  base: number;
  sizeOf(entry: TranscriptEntry): number;
  charactersPerToken: number;
}

export interface Cut {
  entry: number;
  result: number;
  /** Number of characters that stay. */
  head: number;
}

/** What to compact before the next call of the model. */
export type ContextStep =
  | { do: 'clear'; before: number; cuts: Cut[] }
  | { do: 'compact'; from: number; kept: number[]; summaryTokens: number };

interface Limits {
  clearAt: number;
  compactAt: number;
  /** Tokens for the summary, the user's messages that are kept, and the last messages. */
  summary: number;
  words: number;
  tail: number;
}

/** Results shorter than this are not cleared: they are not worth a file and a line that names it. */
const leastCleared = 400;
/** The size of the line that replaces a result. */
const lineLength = 300;

function limitsOf({ window, outputLimit, base }: Omit<ContextBudget, 'sizeOf' | 'charactersPerToken'>): Limits {
  const rest = Math.max(window * 0.1, window * 0.5 - base);
  return {
    clearAt: findClearAt(window),
    compactAt: Math.max(window * 0.5, Math.min(window * 0.8, window - outputLimit)),
    summary: rest * 0.25,
    words: rest * 0.3,
    tail: rest * 0.45,
  };
}

/** The prompt size in tokens that needs no compaction. */
export function findClearAt(window: number): number {
  return window * 0.6;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/**
 * Truncates new results that are too long together, if nothing older can be cleared. They are not cleared, because the model has not read
 * them yet.
 */
function cutLatest({ transcript, clearedBefore }: Conversation, budget: ContextBudget, limits: Limits): ContextStep | null {
  const entry = transcript.length - 1;
  const last = transcript[entry];
  if (last?.role !== 'tool' || budget.sizeOf(last) <= limits.tail) return null;
  const head = Math.floor((limits.tail * budget.charactersPerToken * 0.75) / last.results.length);
  const cuts = last.results.flatMap((result, at) =>
    result.output.length > head + lineLength ? [{ entry, result: at, head }] : [],
  );
  return cuts.length > 0 ? { do: 'clear', before: clearedBefore, cuts } : null;
}

/** The conversation, and the entry before which results are already cleared. */
interface Conversation {
  transcript: readonly TranscriptEntry[];
  clearedBefore: number;
}

/** The start of the last messages that take at most `tokens`: never results without their calls. */
function findTail(transcript: readonly TranscriptEntry[], sizes: readonly number[], tokens: number): number {
  let from = transcript.length;
  let size = 0;
  for (let at = transcript.length - 1; at >= 0; at--) {
    size += sizes[at] ?? 0;
    if (size > tokens) break;
    if (transcript[at]?.role !== 'tool') from = at;
  }
  return from;
}

/** Clears old results, all at once, so that the start of the prompt then stays unchanged for long. */
function clearOld(
  { transcript, clearedBefore }: Conversation,
  sizes: readonly number[],
  budget: ContextBudget,
): ContextStep | null {
  const before = Math.min(findTail(transcript, sizes, budget.window * 0.2), transcript.length - 1);
  const cuts: Cut[] = [];
  let characters = 0;
  for (let entry = clearedBefore; entry < before; entry++) {
    const old = transcript[entry];
    const results: readonly ToolResult[] = old?.role === 'tool' ? old.results : [];
    for (const [result, { output, pictures = [] }] of results.entries()) {
      if (output.length <= leastCleared && pictures.length === 0) continue;
      cuts.push({ entry, result, head: 0 });
      characters += output.length - lineLength + pictures.length * tokensPerPicture * budget.charactersPerToken;
    }
  }
  // Each clearing invalidates the provider's prompt cache, so small gains are not worth it.
  return characters / budget.charactersPerToken >= budget.window * 0.1 ? { do: 'clear', before, cuts } : null;
}

/** User messages to keep verbatim: the newest first while they fit, and always the last. */
function keepWords(
  transcript: readonly TranscriptEntry[],
  from: number,
  sizes: readonly number[],
  budget: ContextBudget,
  tokens: number,
) {
  const kept: number[] = [];
  let size = 0;
  for (let at = from - 1; at >= 0; at--) {
    const entry = transcript[at];
    if (entry?.role !== 'user' || entry.isSummary) continue;
    const own = sizes[at] ?? 0;
    const isNeeded = kept.length === 0 && own <= budget.window / 4;
    if (!isNeeded && size + own > tokens) continue;
    kept.unshift(at);
    size += own;
  }
  return { kept, size };
}

function compact(
  { transcript }: Conversation,
  sizes: readonly number[],
  budget: ContextBudget,
  limits: Limits,
): ContextStep | null {
  const from = findTail(transcript, sizes, limits.tail);
  const { kept, size } = keepWords(transcript, from, sizes, budget, limits.words);
  const freed = sum(sizes.slice(0, from)) - size - limits.summary;
  if (freed < budget.window * 0.05) return null;
  return { do: 'compact', from, kept, summaryTokens: Math.floor(limits.summary) };
}

/**
 * What to do before the next call to keep its prompt within the window; null for nothing, which is usual. Above
 * 60 % of the window old results are cleared, above about 80 % the conversation is summarized. Pure, and linear in the size of
 * the prompt.
 */
export function planContext(conversation: Conversation, budget: ContextBudget): ContextStep | null {
  const limits = limitsOf(budget);
  const sizes = conversation.transcript.map((entry) => budget.sizeOf(entry));
  const total = budget.base + sum(sizes);
  if (total <= limits.clearAt) return null;
  const clearing = clearOld(conversation, sizes, budget) ?? cutLatest(conversation, budget, limits);
  if (clearing || total <= limits.compactAt) return clearing;
  return compact(conversation, sizes, budget, limits);
}
