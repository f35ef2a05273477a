import { eventId } from '@errand/base/ids.ts';
import { presentEvent } from '../../../src/rules/events/present.ts';
import type { LoggedEvent, TaskEventType, TaskStatus } from '../../../src/rules/events/task-event.ts';
import { nextStatus } from '../../../src/rules/tasks/task-status.ts';
import { rowOf, type RowValues } from '../../../src/store/db/store-operation.ts';
import { readEvent } from '../../../src/store/events/events.ts';
import type { AnyDeployment } from '../service/deployment.ts';
import { plainView } from './plain-attachment-view.ts';

/** A task as stored in the database. */
export interface StoredTask {
  id: string;
  status: string;
  lastSeq: number;
  log: LoggedEvent[];
}

/** Every task with its whole log, except the main task of the agent, which these tests do not use. */
export async function readTasks(deployment: AnyDeployment): Promise<StoredTask[]> {
  const tasks = await deployment.query("SELECT id, status, last_seq FROM tasks WHERE task_type <> 'agent_main' ORDER BY id");
  const events = await deployment.query('SELECT task_id, seq, at, type, body FROM events ORDER BY task_id, seq');
  const logs = Map.groupBy(events, (row) => String(row.task_id));
  return tasks.map((row: RowValues): StoredTask => {
    const id = String(row.id);
    return {
      id,
      status: String(row.status),
      lastSeq: Number(row.last_seq),
      log: (logs.get(id) ?? []).map((event) => readEvent(rowOf(event))),
    };
  });
}

/** Ids of the events that verbose readers see, in order. */
export function shownIds({ id, log }: StoredTask): string[] {
  return log.flatMap((event) => presentEvent(id, event, plainView)?.id ?? []);
}

function findRepeats(values: readonly (string | number)[]): (string | number)[] {
  const seen = new Set<string | number>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

/** Events that are logged twice but must occur once. */
function auditRepeats({ log }: StoredTask): string[] {
  const ended = log.flatMap(({ event }) => (event.type === 'tool_finished' ? [event.callId] : []));
  const replied = log.flatMap(({ event }) => (event.type === 'model_finished' ? [event.step] : []));
  return [
    ...findRepeats(ended).map((callId) => `tool call ${callId} ended twice`),
    ...findRepeats(replied).map((step) => `model step ${step} ended twice`),
  ];
}

/** Checks that each status follows from the previous one, so that no end and no stop occurs twice. */
function auditStatuses({ log, status }: StoredTask): string[] {
  let current: TaskStatus = 'running';
  let isStopping = false;
  for (const { seq, event } of log) {
    const next: TaskStatus | null = nextStatus(current, event.type satisfies TaskEventType);
    if (next === null) return [`${event.type} at ${seq} follows ${current}`];
    if (isStopping && !(event.type === 'stopped' && event.by === 'user')) return [`${event.type} at ${seq} follows user_stopped`];
    isStopping = event.type === 'user_stopped';
    current = next;
  }
  return current === status ? [] : [`the row says ${status}, the log ${current}`];
}

/** The problems of a stored task: gaps in numbers, non-increasing times, wrong orders, repeats. */
export function auditTask(task: StoredTask): string[] {
  const { id, log, lastSeq } = task;
  const isGapless = log.length === lastSeq && log.every(({ seq }, index) => seq === index + 1);
  const grows = log.every(({ atMs }, index) => index === 0 || atMs > (log[index - 1]?.atMs ?? 0));
  const ids = log.map(({ seq, atMs }) => eventId(id, seq, atMs));
  return [
    ...(isGapless ? [] : [`${log.length} events up to ${lastSeq}, not gapless`]),
    ...(grows ? [] : ['times do not grow']),
    ...findRepeats(ids).map((eventIdTwice) => `event ${eventIdTwice} is there twice`),
    ...auditRepeats(task),
    ...auditStatuses(task),
  ].map((problem) => `task ${id}: ${problem}`);
}

/** Differences between the database and the API: the status of every task, and the events of the given ones. */
export async function auditApiViews(deployment: AnyDeployment, tasks: readonly StoredTask[]): Promise<string[]> {
  const { client } = deployment;
  const statuses = await client.listStatuses();
  const problems = tasks.flatMap(({ id, status }) =>
    statuses.get(id) === status ? [] : [`task ${id} is ${status}, listed as ${statuses.get(id)}`],
  );
  if (statuses.size !== tasks.length) problems.push(`${tasks.length} tasks, ${statuses.size} listed`);
  for (const task of tasks) {
    const [status, events] = await Promise.all([client.statusOf(task.id), client.listEvents(task.id)]);
    if (status !== task.status) problems.push(`task ${task.id} is ${task.status}, in detail ${status}`);
    if (events.map(({ id }) => id).join() !== shownIds(task).join())
      problems.push(`task ${task.id} shows other events than it has`);
  }
  return problems;
}
