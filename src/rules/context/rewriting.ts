import type { ToolResult, TranscriptEntry } from './transcript.ts';
import { advanceCompaction, type Compaction } from './compaction-state.ts';
import type { TaskEvent, TokenUsage } from '../events/task-event.ts';
import { addUsage } from './token-usage.ts';
import { reminderMark } from './plan-reminder.ts';

const contextTypes = ['context_cleared', 'compact_started', 'compact_failed', 'compact_part', 'compacted'] as const;
const contextTypeSet: ReadonlySet<string> = new Set(contextTypes);

/** The events that compact a conversation. */
export type ContextEvent = Extract<TaskEvent, { type: (typeof contextTypes)[number] }>;

export function isContextEvent(event: TaskEvent): event is ContextEvent {
  return contextTypeSet.has(event.type);
}

/** Clears a result with its pictures; read_file can show them again. */
function clearResult({ pictures: _pictures, ...result }: ToolResult, head: number, path: string | null): ToolResult {
  const start = result.output.slice(0, head).toWellFormed();
  // Read from its beginning, it would be too long again.
  const from = head === 0 ? '' : `from line ${start.split('\n').length} on `;
  const whole =
    path === null ? 'Call the tool again if it is needed.' : `The full text is in ${path}: read_file it ${from}if it is needed.`;
  const line = `[${head === 0 ? 'This old result' : 'The rest of this result'} was left out to save room. ${whole}]`;
  return { ...result, output: head === 0 ? line : `${start}\n${line}` };
}

const clearedLine =
  /(?:^|\n)\[(?:This old|The rest of this) result was left out to save room\. The full text is in (\S+): read_file it (?:from line \d+ on )?if it is needed\.\]$/;

/** The path of the full text of a cleared result; null for one that is not cleared. */
export function findClearedPath(output: string): string | null {
  return clearedLine.exec(output)?.[1] ?? null;
}

/** The conversation without cleared content. Calls, results and their order stay; only the texts of results are shortened. */
export function applyClearing(
  transcript: readonly TranscriptEntry[],
  { results }: Extract<TaskEvent, { type: 'context_cleared' }>,
): TranscriptEntry[] {
  const changed = [...transcript];
  for (const { entry, result, path, head } of results) {
    const old = changed[entry];
    if (old?.role !== 'tool') continue;
    changed[entry] = {
      role: 'tool',
      results: old.results.map((each, at) => (at === result ? clearResult(each, head, path) : each)),
    };
  }
  return changed;
}

const heading = `${reminderMark} The earlier part of this conversation was left out to save room, and this summary was put in its place. Files named in it
are in the workspace. Go on from here; do not begin again.`;

/** The conversation after a summary. */
export function applyCompaction(
  transcript: readonly TranscriptEntry[],
  { summary, kept, from }: Extract<TaskEvent, { type: 'compacted' }>,
): TranscriptEntry[] {
  const first: TranscriptEntry = { role: 'user', text: `${heading}\n\n${summary}`, isNote: true, isSummary: true };
  const chosen = kept.flatMap((at) => transcript[at] ?? []);
  return [first, ...chosen, ...transcript.slice(from)];
}

interface ContextState {
  transcript: readonly TranscriptEntry[];
  compaction: Compaction;
  usage: TokenUsage;
}

type ContextChange = Partial<Omit<ContextState, 'transcript'>> & {
  rewritten?: readonly TranscriptEntry[];
  clearedBefore?: number;
};

/** Applies one of these events: a summary also has a cost. */
export function advanceContext(state: ContextState, event: ContextEvent, atMs: number): ContextChange {
  const { transcript } = state;
  if (event.type === 'context_cleared') return { rewritten: applyClearing(transcript, event), clearedBefore: event.before };
  const compaction = advanceCompaction(state.compaction, event, atMs);
  if (event.type === 'compact_started') return { compaction };
  const usage = addUsage(state.usage, event.usage);
  if (event.type === 'compact_failed' || event.type === 'compact_part') return { compaction, usage };
  return { compaction, usage, rewritten: applyCompaction(transcript, event), clearedBefore: 0 };
}
