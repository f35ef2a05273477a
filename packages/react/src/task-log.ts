import type { StreamItem } from '@errand/client';

type TaskEvent = Extract<StreamItem, { kind: 'event' }>['event'];

/** `loading` until the first event has been read. */
export type TaskStatus = 'loading' | 'running' | 'waiting' | 'stopped' | 'error';

/** What is known of a task from its stream. */
export interface TaskLog {
  status: TaskStatus;
  /** Every event once, oldest first. */
  events: readonly TaskEvent[];
  /** The reply that is being written, as far as it has come; empty between replies. */
  draft: string;
  /** What the task waits for, in words of the agent; null unless it waits. */
  question: string | null;
}

export const emptyLog: TaskLog = { status: 'loading', events: [], draft: '', question: null };

/** The reply of which the draft is a part; a new attempt at the same step restarts its text. */
interface Draft {
  step: number;
  attempt: number;
}

function readEvent(log: TaskLog, event: TaskEvent): TaskLog {
  const next = { ...log, events: [...log.events, event] };
  if (event.type === 'assistant_message' || event.type === 'error_message') return { ...next, draft: '' };
  if (event.type !== 'status_update') return next;
  const { agent_status: status, status_detail: detail } = event.status_update;
  const isWaiting = status === 'waiting';
  return { ...next, status, draft: '', question: isWaiting ? (detail.waiting_description ?? '') : null };
}

/** Reads a stream item by item; each result is a value of its own, as components compare them. */
export function createLogReader(): (log: TaskLog, item: StreamItem) => TaskLog {
  let draft: Draft | null = null;
  const seen = new Set<string>();
  return (log, item) => {
    if (item.kind === 'output') return log;
    if (item.kind === 'event') {
      if (seen.has(item.event.id)) return log;
      seen.add(item.event.id);
      const next = readEvent(log, item.event);
      if (next.draft === '') draft = null;
      return next;
    }
    const { step, attempt, at, text } = item.delta;
    const isSame = draft?.step === step && draft.attempt === attempt;
    draft = { step, attempt };
    const before = isSame ? log.draft : '';
    // A reader that came late has not seen the beginning: it shows the reply once that is whole.
    if (at !== undefined && at > before.length) return { ...log, draft: '' };
    return { ...log, draft: (at === undefined ? before : before.slice(0, at)) + text };
  };
}
