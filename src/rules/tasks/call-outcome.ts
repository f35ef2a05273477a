import { replaceMade } from '../artifacts/made-files.ts';
import { addUsage } from '../context/token-usage.ts';
import { addTaints } from '../egress/trust.ts';
import type { TaskEvent } from '../events/task-event.ts';
import { addStored } from '../files/stored-results.ts';
import { addCut, askToGoOn } from './cut-reply.ts';
import { answer, type Draft, receivePending } from './task-draft.ts';
import { readOutput } from './turn-watch.ts';

/** A finished call: its parts enter the conversation, and its tool calls are to be run. */
function foldFinished(draft: Draft, event: Extract<TaskEvent, { type: 'model_finished' }>): void {
  const at = { step: event.step, attempt: draft.failures + 1 };
  const cutReply = event.isContinued === true ? addCut(draft.cutReply, event.parts, at) : null;
  const { calledModel: model } = draft;
  draft.step = event.step;
  draft.failures = 0;
  draft.retryAt = 0;
  draft.failingSince = 0;
  draft.modelOpen = false;
  draft.pending = event.parts.flatMap((part) => (part.type === 'call' ? [{ ...part, starts: 0 }] : []));
  draft.results = [];
  draft.cutReply = cutReply;
  draft.usage = addUsage(draft.usage, event.usage);
  draft.transcript.push({ role: 'assistant', parts: event.parts, ...(model !== null && { model }) });
  if (cutReply) draft.transcript.push(askToGoOn(cutReply));
  if (draft.pending.length === 0) receivePending(draft);
}

/** A failed call: messages that arrived meanwhile are read by the next one. */
function foldFailed(draft: Draft, event: Extract<TaskEvent, { type: 'model_failed' }>, atMs: number): void {
  receivePending(draft);
  draft.modelOpen = false;
  draft.failures = event.attempt;
  draft.retryAt = event.retryAt;
  draft.failingSince ||= atMs;
  draft.usage = addUsage(draft.usage, event.usage);
}

/** The start of a call: it has what was written until then. */
function foldStarted(draft: Draft): void {
  receivePending(draft);
  draft.modelOpen = true;
}

/** The start or the end of a call of a model. */
export function foldModelCall(
  draft: Draft,
  event: Extract<TaskEvent, { type: 'model_started' | 'model_finished' | 'model_failed' }>,
  atMs: number,
): void {
  if (event.type === 'model_started') foldStarted(draft);
  else if (event.type === 'model_failed') foldFailed(draft, event, atMs);
  else foldFinished(draft, event);
}

/** The end of a call of a tool: its result enters the conversation with those of the other calls of its step. */
export function foldToolFinished(draft: Draft, event: Extract<TaskEvent, { type: 'tool_finished' }>): void {
  const { callId, tool, status, made = [], taints = [], pictures, lasting = draft.lasting } = event;
  if (draft.picture) delete draft.picture;
  draft.lasting = lasting;
  draft.made = replaceMade(draft.made, made);
  draft.trust = addTaints(draft.trust, taints);
  draft.stored = addStored(draft.stored, event);
  const output = readOutput(event);
  answer(draft, { callId, tool, output, isError: status === 'error', ...(pictures && { pictures }) });
}
