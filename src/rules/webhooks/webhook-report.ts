import type { Attachment, PlanStep, TaskEvent } from '../events/task-event.ts';

/** A structured result as the event log and the webhook carry it (docs/reference/api.md#structured-output-result). */
export interface OutputResult {
  success: boolean;
  value: unknown;
  error: string | null;
}

/** Something about a task that webhooks tell. `seq` is the place in the log that makes its event id unique. */
export type Report =
  | { kind: 'created' }
  | { kind: 'progress'; seq: number; message: string }
  | {
      kind: 'stopped';
      seq: number;
      /** Null for the agent's last message, which stands further back in the log. */
      message: string | null;
      /** What came with that message; null where it stands further back. */
      attachments: readonly Attachment[] | null;
      reason: 'finish' | 'ask';
      by: 'agent' | 'user' | 'error';
      output: OutputResult | null;
    };

type LaterReport = Exclude<Report, { kind: 'created' }>;

const stoppedByUser = 'Stopped by the user';

/** What a plan is about now: the step under way, or how much of it is done. */
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
      return { kind: 'stopped', seq, message: event.question, attachments, reason: 'ask', by: 'agent', output: null };
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

/** What webhooks tell of events that are logged together. `firstSeq` is the place of the first of them. */
export function findReports(events: readonly TaskEvent[], firstSeq: number): LaterReport[] {
  return events.flatMap((event, index) =>
    reportedTypes.has(event.type) ? (reportOf(event, firstSeq + index, events) ?? []) : [],
  );
}
