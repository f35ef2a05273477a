import { Fault } from '@errand/base/fault.ts';
import type { TaskEvent, TaskEventType, TaskStatus } from '../events/task-event.ts';

type Step = TaskStatus | 'same' | 'impossible';
type Row = Record<TaskStatus, Step>;

const always: Row = { running: 'same', waiting: 'same', stopped: 'same', error: 'same' };
const whileRunning: Row = { running: 'same', waiting: 'impossible', stopped: 'impossible', error: 'impossible' };

/**
 * The whole state machine (docs/reference/api.md#states): the status that follows from each event and status. Nothing else in the service
 * changes a status.
 */
const table: Record<TaskEventType, Row> = {
  user_message: always,
  prepared: { running: 'stopped', waiting: 'stopped', stopped: 'same', error: 'stopped' },
  equipped: always,
  skill_loaded: whileRunning,
  tools_pinned: whileRunning,
  running: { running: 'same', waiting: 'running', stopped: 'running', error: 'running' },
  model_started: whileRunning,
  model_finished: whileRunning,
  model_failed: whileRunning,
  model_waiting: whileRunning,
  context_cleared: whileRunning,
  compact_started: whileRunning,
  compact_failed: whileRunning,
  compact_part: whileRunning,
  compacted: whileRunning,
  schema_shown: whileRunning,
  explained: whileRunning,
  tool_started: whileRunning,
  step_repeated: whileRunning,
  tool_finished: whileRunning,
  file_delivered: whileRunning,
  attachments_placed: whileRunning,
  files_left_out: whileRunning,
  process_lost: whileRunning,
  file_fetched: whileRunning,
  voice_transcribed: whileRunning,
  site_made: whileRunning,
  plan_updated: whileRunning,
  plan_step_added: whileRunning,
  assistant_message: whileRunning,
  rows_started: whileRunning,
  rows_failed: whileRunning,
  rows_finished: whileRunning,
  picture_started: whileRunning,
  picture_failed: whileRunning,
  picture_finished: whileRunning,
  extract_started: whileRunning,
  extract_failed: whileRunning,
  extract_incomplete: whileRunning,
  extract_finished: whileRunning,
  action_prepared: whileRunning,
  decided: { ...whileRunning, running: 'impossible', waiting: 'same' },
  waiting: { ...whileRunning, running: 'waiting' },
  budget_warning: whileRunning,
  user_stopped: { running: 'same', waiting: 'same', stopped: 'impossible', error: 'impossible' },
  stopped: { running: 'stopped', waiting: 'stopped', stopped: 'impossible', error: 'impossible' },
  error: whileRunning,
  failed: { ...whileRunning, running: 'error' },
  // The one event that follows the end of a turn: clients read the result after the `stopped` status
  // (docs/reference/wire-format.md#reading).
  extract_delivered: { running: 'impossible', waiting: 'impossible', stopped: 'same', error: 'same' },
};

/**
 * Whether this version knows an event. The next version may have logged others, before it was rolled back or beside this one: they change
 * nothing here.
 */
export function isKnownEvent(type: string): boolean {
  return Object.hasOwn(table, type);
}

/** The status after an event, or null if the event is not allowed. */
export function nextStatus(status: TaskStatus, event: TaskEventType): TaskStatus | null {
  const step = isKnownEvent(event) ? table[event][status] : 'same';
  if (step === 'impossible') return null;
  return step === 'same' ? status : step;
}

/** The status after several events; an event that is not allowed there is a defect of the caller. */
export function applyEvents(status: TaskStatus, events: readonly TaskEvent[]): TaskStatus {
  let current = status;
  for (const { type } of events) {
    const next = nextStatus(current, type);
    if (next === null) {
      throw new Fault('internal', 'Something went wrong inside the service.', {
        detail: `${type} cannot follow status ${current}`,
      });
    }
    current = next;
  }
  return current;
}
