import type { ToolResult, TranscriptEntry, UserEntry } from '../context/transcript.ts';
import { noCompaction } from '../context/compaction-state.ts';
import { noRowFailures } from '../rows/rows-state.ts';
import type { TaskState } from './task-shape.ts';

type Writable<State> = { -readonly [Field in keyof State]: State[Field] };

/**
 * The state that a fold is making, changed in place: its fields are assigned, its conversation grows. A copy of all fields for each event
 * was a sixth of the processor time of a task. What the fields contain never changes, because earlier states share it.
 */
export type Draft = Writable<Omit<TaskState, 'transcript'>> & { transcript: TranscriptEntry[] };

const midStep = (state: TaskState) => state.modelOpen || state.pending.length > 0;

/** Whether the agent no longer looks for facts that a structured result lacked: its steps are used up, or the model is unavailable. */
function isSearchOver({ step, extraction: { searchUntil }, failures, transcript }: TaskState): boolean {
  if (searchUntil === null) return false;
  return failures > 0 || (step >= searchUntil && transcript.at(-1)?.role === 'tool');
}

/** Whether the agent has answered: with a reply without tool calls, and no message after it. */
export function hasAnswered(state: TaskState): boolean {
  return !midStep(state) && (state.transcript.at(-1)?.role === 'assistant' || isSearchOver(state));
}

/** Moves messages that arrived in mid-step into the conversation. */
export function receivePending(draft: Draft): void {
  if (draft.pendingMessages.length === 0) return;
  draft.transcript.push(...draft.pendingMessages);
  draft.pendingMessages = [];
}

/** Adds one result; the last result of a step completes it. */
export function answer(draft: Draft, result: ToolResult): void {
  draft.pending = draft.pending.filter((call) => call.id !== result.callId);
  draft.results = [...draft.results, result];
  if (draft.pending.length > 0) return;
  closeStep(draft);
  receivePending(draft);
}

/** Completes a step: all its results become one entry, in the order of the calls. */
function closeStep(draft: Draft): void {
  if (draft.results.length === 0) return;
  const last = draft.transcript.at(-1);
  const order = last?.role === 'assistant' ? last.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [];
  const results = draft.results.toSorted((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId));
  draft.results = [];
  draft.transcript.push({ role: 'tool', results });
}

/** Ends a turn and closes its open calls, because providers reject a call without a result. */
export function endTurn(draft: Draft, reason: string): void {
  const cut = draft.pending.map((call): ToolResult => ({ callId: call.id, tool: call.tool, output: reason, isError: true }));
  draft.pending = [];
  draft.results = [...draft.results, ...cut];
  closeStep(draft);
  receivePending(draft);
  const settled = { modelOpen: false, failures: 0, retryAt: 0, failingSince: 0, compaction: noCompaction, rows: noRowFailures };
  Object.assign(draft, settled, { cutReply: null });
}

/** Adds an entry, or keeps it until the open calls have their results: nothing may come between the two. */
export function addEntry(draft: Draft, entry: UserEntry): void {
  if (midStep(draft)) draft.pendingMessages = [...draft.pendingMessages, entry];
  else draft.transcript.push(entry);
}
