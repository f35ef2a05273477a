import type { TaskEvent } from '../../rules/events/task-event.ts';
import type { Measurement } from '../db/store-operation.ts';

const endings = { waiting: 'waiting', stopped: 'stopped', failed: 'error' } as const;

/** Counts the end of a turn among these events, if there is one. */
export function measureEnding(events: readonly TaskEvent[]): Measurement[] {
  const [status] = events.flatMap(({ type }) => (type in endings ? endings[type as keyof typeof endings] : []));
  return status === undefined ? [] : [{ counter: 'errand_turns_ended_total', labels: { status } }];
}
