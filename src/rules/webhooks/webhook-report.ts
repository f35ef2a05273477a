import type { Attachment, PlanStep, TaskEvent } from '../events/task-event.ts';

/** A structured result in the event log and in webhooks (docs/reference/api.md#structured-output-result). */
export interface OutputResult {
  success: boolean;
  value: unknown;
  error: string | null;
}

/** A change of a task that webhooks report. `seq` is its position in the log, which makes its event id unique. */
export type Report =
  | { kind: 'created' }
  | { kind: 'progress'; seq: number; message: string }
  | {
      kind: 'stopped';
      seq: number;
      /** Null for the agent's last message, which is earlier in the log. */
      message: string | null;
      /** The attachments of that message; null if it is earlier in the log. */
      attachments: readonly Attachment[] | null;
      reason: 'finish' | 'ask';
      by: 'agent' | 'user' | 'error';
      output: OutputResult | null;
      /** Whether it waits for a higher budget. */
      isOutOfBudget?: true;
    };

type LaterReport = Exclude<Report, { kind: 'created' }>;

const stoppedByUser = 'Stopped by the user';

/** The progress of a plan: the current step, or how many are done. */
function describePlan(steps: readonly PlanStep[]): string {
  const doing = steps.find(({ status }) => status === 'doing');
  const ended = steps.filter(({ status }) => status === 'done' || status === 'failed').length;
  return doing?.title ?? `${ended} of ${steps.length} steps done`;
}

function lastOf<Type extends TaskEvent['type']>(events: readonly TaskEvent[], type: Type) {
  return events.findLast((event): event is Extract<TaskEvent, { type: Type }> => event.type === type);
}

const reportedTypes = new Set<TaskEvent['type']>(['plan_updated', 'waiting', 'stopped', 'failed']);

function reportOf(event: TaskEvent, seq: number, events: readonly TaskEvent[]): LaterReport | null {
  const delivered = lastOf(events, 'extract_delivered');
  const output = delivered ? { success: delivered.success, value: delivered.value, error: delivered.error } : null;
  const said = lastOf(events, 'assistant_message');
  const attachments = said?.attachments ?? [];
  switch (event.type) {
    case 'plan_updated':
      return { kind: 'progress', seq, message: describePlan(event.steps) };
    case 'waiting':
      return {
        ...{ kind: 'stopped', seq, message: event.question, attachments, reason: 'ask', by: 'agent', output: null },
        ...(event.budget && { isOutOfBudget: true }),
      };
    case 'stopped':
      if (event.by === 'user')
        return { kind: 'stopped', seq, message: stoppedByUser, attachments: [], reason: 'finish', by: 'user', output: null };
      return {
        kind: 'stopped',
        seq,
        message: said?.text ?? null,
        attachments: said ? attachments : null,
        reason: 'finish',
        by: 'agent',
        output,
      };
    case 'failed': {
      const message = lastOf(events, 'error')?.text ?? '';
      return { kind: 'stopped', seq, message, attachments: [], reason: 'finish', by: 'error', output };
    }
    default:
      return null;
  }
}

/** The webhook reports for events logged together. `firstSeq` is the position of the first. */
export function findReports(events: readonly TaskEvent[], firstSeq: number): LaterReport[] {
  return events.flatMap((event, index) =>
    reportedTypes.has(event.type) ? (reportOf(event, firstSeq + index, events) ?? []) : [],
  );
}
