import type { ToolResult, TranscriptEntry, UserEntry } from '../context/transcript.ts';
import { noCompaction } from '../context/compaction-state.ts';
import { noRowFailures } from '../rows/rows-state.ts';
import type { TaskState } from './task-shape.ts';

/** A state, with what the current event adds to the conversation (applied once at the end for speed), or the rewritten conversation. */
export interface Draft extends TaskState {
  added: readonly TranscriptEntry[];
  rewritten: readonly TranscriptEntry[] | null;
}

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
export function receivePending(draft: Draft): Draft {
  if (draft.pendingMessages.length === 0) return draft;
  return { ...draft, added: [...draft.added, ...draft.pendingMessages], pendingMessages: [] };
}

/** Adds one result; the last result of a step completes it. */
export function answer(draft: Draft, result: ToolResult): Draft {
  const pending = draft.pending.filter((call) => call.id !== result.callId);
  const results = [...draft.results, result];
  if (pending.length > 0) return { ...draft, pending, results };
  return receivePending(closeStep({ ...draft, pending, results }));
}

/** Completes a step: all its results become one entry, in the order of the calls. */
function closeStep(draft: Draft): Draft {
  if (draft.results.length === 0) return draft;
  const last = draft.transcript.at(-1);
  const order = last?.role === 'assistant' ? last.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [];
  const results = draft.results.toSorted((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId));
  return { ...draft, results: [], added: [...draft.added, { role: 'tool', results }] };
}

/** Ends a turn and closes its open calls, because providers reject a call without a result. */
export function endTurn(draft: Draft, reason: string): Draft {
  const cut = draft.pending.map((call): ToolResult => ({ callId: call.id, tool: call.tool, output: reason, isError: true }));
  const closed = closeStep({ ...draft, pending: [], results: [...draft.results, ...cut] });
  const settled = { modelOpen: false, failures: 0, retryAt: 0, failingSince: 0, compaction: noCompaction, rows: noRowFailures };
  return { ...receivePending(closed), ...settled, cutReply: null };
}

/** Adds an entry, or keeps it until the open calls have their results: nothing may come between the two. */
export function addEntry(draft: Draft, entry: UserEntry): Draft {
  if (midStep(draft)) return { ...draft, pendingMessages: [...draft.pendingMessages, entry] };
  return { ...draft, added: [...draft.added, entry] };
}
