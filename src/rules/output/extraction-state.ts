import type { TaskEvent } from '../events/task-event.ts';

/** The progress of extracting a structured result from a finished conversation. */
export interface Extraction {
  starts: number;
  /** Values that did not conform, and what was wrong with the last. */
  misfits: number;
  mismatch: string | null;
  /** The earliest time of the next call, and when the first of its failures was logged, 0 for none. */
  retryAt: number;
  failingSince: number;
  /** The step after which no more is looked for what the first value lacked; null if it was not looked for. */
  searchUntil: number | null;
  /** The first value, which lacked something. */
  partial: { value: unknown } | null;
  outcome: { success: boolean; value: unknown; error: string | null } | null;
}

export const noExtraction: Extraction = {
  starts: 0,
  misfits: 0,
  mismatch: null,
  retryAt: 0,
  failingSince: 0,
  searchUntil: null,
  partial: null,
  outcome: null,
};

/** How many steps an agent has to look for what a structured result lacks. */
export const mostSearchSteps = 8;

type ExtractEvent = Extract<
  TaskEvent,
  { type: 'extract_started' | 'extract_failed' | 'extract_incomplete' | 'extract_finished' }
>;

interface Moment {
  atMs: number;
  /** Step of the task. */
  step: number;
}

/** The state after one more event: a call started, it yielded no result, or there is an outcome. */
export function advanceExtraction(extraction: Extraction, event: ExtractEvent, { atMs, step }: Moment): Extraction {
  if (event.type === 'extract_started') return { ...extraction, starts: event.attempt };
  if (event.type === 'extract_failed') {
    const { isMisfit, reason, retryAt } = event;
    if (isMisfit) return { ...extraction, misfits: extraction.misfits + 1, mismatch: reason };
    return { ...extraction, retryAt, failingSince: extraction.failingSince || atMs };
  }
  if (event.type === 'extract_incomplete') {
    return { ...noExtraction, searchUntil: step + mostSearchSteps, partial: { value: event.value } };
  }
  const { success, value, error } = event;
  return { ...extraction, outcome: { success, value, error } };
}
