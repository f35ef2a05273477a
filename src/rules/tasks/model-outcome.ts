import type { TaskEvent } from '../events/task-event.ts';
import { addUsage } from '../context/token-usage.ts';
import { addCut, askToGoOn } from './cut-reply.ts';
import { type Draft, receivePending } from './task-draft.ts';

/** A finished call: its parts enter the conversation, and its tool calls are to be run. */
function foldFinished(draft: Draft, event: Extract<TaskEvent, { type: 'model_finished' }>): Draft {
  const at = { step: event.step, attempt: draft.failures + 1 };
  const cutReply = event.isContinued === true ? addCut(draft.cutReply, event.parts, at) : null;
  const { calledModel: model } = draft;
  const pending = event.parts.flatMap((part) => (part.type === 'call' ? [{ ...part, starts: 0 }] : []));
  const next: Draft = {
    ...draft,
    step: event.step,
    failures: 0,
    retryAt: 0,
    failingSince: 0,
    modelOpen: false,
    pending,
    results: [],
    cutReply,
    added: [
      { role: 'assistant', parts: event.parts, ...(model !== null && { model }) },
      ...(cutReply ? [askToGoOn(cutReply)] : []),
    ],
    usage: addUsage(draft.usage, event.usage),
  };
  return pending.length > 0 ? next : receivePending(next);
}

/** A failed call: messages that arrived meanwhile are read by the next one. */
function foldFailed(draft: Draft, event: Extract<TaskEvent, { type: 'model_failed' }>, atMs: number): Draft {
  return {
    ...receivePending(draft),
    modelOpen: false,
    failures: event.attempt,
    retryAt: event.retryAt,
    failingSince: draft.failingSince || atMs,
    usage: addUsage(draft.usage, event.usage),
  };
}

/** The end of a call. */
export function foldModelCall(
  draft: Draft,
  event: Extract<TaskEvent, { type: 'model_finished' | 'model_failed' }>,
  atMs: number,
): Draft {
  return event.type === 'model_failed' ? foldFailed(draft, event, atMs) : foldFinished(draft, event);
}
