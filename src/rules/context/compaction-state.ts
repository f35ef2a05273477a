import type { TaskEvent } from '../events/task-event.ts';

/** The progress of summarizing a long conversation. */
export interface Compaction {
  starts: number;
  /** The earliest time of the next call, and when the first failure was logged, 0 for none. */
  retryAt: number;
  failingSince: number;
  /** The summary so far of everything before this entry; a long conversation is read in parts. */
  notes: string;
  upTo: number;
}

export const noCompaction: Compaction = { starts: 0, retryAt: 0, failingSince: 0, notes: '', upTo: 0 };

type CompactionEvent = Extract<TaskEvent, { type: 'compact_started' | 'compact_failed' | 'compact_part' | 'compacted' }>;

/** The state after one more event: a call started, it failed, or the summary exists. */
export function advanceCompaction(compaction: Compaction, event: CompactionEvent, atMs: number): Compaction {
  if (event.type === 'compact_started') return { ...compaction, starts: event.attempt };
  if (event.type === 'compacted') return noCompaction;
  if (event.type === 'compact_part') return { ...noCompaction, notes: event.notes, upTo: event.upTo };
  return { ...compaction, retryAt: event.retryAt, failingSince: compaction.failingSince || atMs };
}
