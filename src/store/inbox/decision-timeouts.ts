import { timeLimit } from '../../rules/inbox/decider.ts';
import { unanswered } from '../../rules/inbox/decision-timeout.ts';
import { asksPerson } from '../../rules/inbox/inbox-item.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { computedCodec, integer, nullable } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import { type Row, type Script, selectAll, selectOne, sql, type StoreOperation } from '../db/store-operation.ts';
import { findOpenItem, keepDecision, type OpenItem } from '../events/kept-decisions.ts';
import { announceDue, lockedColumns, logCommand, wakeChange } from '../events/task-log.ts';

/** Items that are decided in one transaction. */
const decidedAtOnce = 100;

const nextRow = computedCodec('decision timeouts', { next_at: nullable(integer) });

function* moveDue(row: Row, dueAtMs: number | null): Script<void> {
  const statement = 'UPDATE tasks SET decision_due_at = ? WHERE account_id = ? AND id = ?';
  yield [sql(statement, dueAtMs, taskRow.account_id(row), taskRow.id(row))];
}

/** What is logged for an item that nobody has decided in time, and the answer; a time limit never allows anything. */
function decideByTimeLimit({ event }: OpenItem, answer: string | null): { events: TaskEvent[]; answer: string | null } | null {
  if (event.type !== 'waiting' || !asksPerson([event]) || event.callId === null) return null;
  const by = 'time_limit';
  if (event.action) {
    const running = { type: 'running', brief: 'Going on without it: nobody confirmed it in time' } as const;
    return {
      events: [{ type: 'decided', callId: event.callId, isAccepted: false, isLasting: false, by }, running],
      answer: null,
    };
  }
  const text = answer ?? unanswered;
  const running = { type: 'running', brief: 'Going on: nobody answered in time' } as const;
  return { events: [{ type: 'user_message', text, kind: 'text', by }, running], answer: text };
}

/** Decides what a locked task waits for; returns whether it resumes. */
function* decide(row: Row, now: number): Script<boolean> {
  const timeoutMs = taskRow.decision_timeout_ms(row);
  const item = timeoutMs === null ? null : yield* findOpenItem(row);
  const timedOut = item && decideByTimeLimit(item, taskRow.decision_timeout_answer(row));
  // The previous release, which may serve the same database, leaves the time of an earlier question behind.
  if (timeoutMs === null || !item || !timedOut) {
    yield* moveDue(row, null);
    return false;
  }
  const dueAtMs = item.atMs + timeoutMs;
  if (dueAtMs > now) {
    yield* moveDue(row, dueAtMs);
    return false;
  }
  const { events, answer } = timedOut;
  yield* keepDecision(row, { decider: timeLimit, accept: answer === null ? false : null, answer, note: null, now });
  yield* logCommand(row, events, now, wakeChange, []);
  return true;
}

export interface TimedOut {
  /** Tasks that resume. */
  taskIds: string[];
  hasMore: boolean;
  /** When the next item is decided; null if none has a time limit. */
  nextAtMs: number | null;
}

/**
 * Decides what nobody has decided in time. The rows are locked until it is done, so a decision that a person makes at the same time comes
 * before or after, and several workers divide the items among them.
 */
export const decideTimedOut: StoreOperation<{ now: number }, TimedOut> = {
  name: 'inbox.decideTimedOut',
  access: 'exclusive',
  *run({ now }) {
    const due = yield* selectAll(
      `SELECT ${lockedColumns} FROM tasks t INDEXED BY tasks_waiting_for_decision
       WHERE decision_due_at IS NOT NULL AND decision_due_at <= ? ORDER BY decision_due_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      now,
      decidedAtOnce,
    );
    const taskIds: string[] = [];
    for (const row of due) if (yield* decide(row, now)) taskIds.push(taskRow.id(row));
    const next = yield* selectOne('SELECT MIN(decision_due_at) AS next_at FROM tasks WHERE decision_due_at IS NOT NULL');
    return { taskIds, hasMore: due.length === decidedAtOnce, nextAtMs: nextRow.next_at(next) };
  },
  announce: (_, { taskIds }) => taskIds.flatMap(announceDue),
};
