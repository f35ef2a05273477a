import type { StoredTask } from '../support/tasks/task-audit.ts';
import type { Act, WorkHistory } from './work-history.ts';

/** Where each token occurs in the stored logs, as `task:seq`. */
function findTokens(tasks: readonly StoredTask[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { id, log } of tasks) {
    for (const { event } of log) {
      if (event.type !== 'user_message') continue;
      const token = /\[(\w+)\]/.exec(event.text)?.[1] ?? '';
      places.set(token, [...(places.get(token) ?? []), id]);
    }
  }
  return places;
}

/** An acknowledged text is there once, in its task; one whose fate is unknown at most once. */
function auditText(act: Act, places: readonly string[]): string[] {
  const { kind, token, taskId, outcome } = act;
  const what = `${kind} ${token} (${outcome})`;
  if (outcome === 'acknowledged' && places.length === 0) return [`${what} is lost`];
  if (places.length > 1) return [`${what} is there ${places.length} times`];
  if (places.length === 1 && taskId !== null && places[0] !== taskId) return [`${what} is in another task`];
  return [];
}

/** Stops of a task: never more than were asked for, and one that was acknowledged last leaves the task at rest. */
function auditStops(task: StoredTask, acts: readonly Act[]): string[] {
  const asked = acts.filter(({ kind }) => kind === 'stop').length;
  const stops = task.log.filter(({ event }) => event.type === 'user_stopped').length;
  const problems = stops > asked ? [`task ${task.id}: ${stops} stops, ${asked} asked for`] : [];
  const last = acts.at(-1);
  const isShared = new Set(acts.map(({ client }) => client)).size > 1;
  if (!isShared && last?.kind === 'stop' && last.outcome === 'acknowledged') {
    const lastEnd = task.log.findLast(({ event }) => event.type === 'stopped' || event.type === 'failed');
    const receivedAfter = task.log.some(({ seq, event }) => event.type === 'user_message' && seq > (lastEnd?.seq ?? 0));
    if (receivedAfter) problems.push(`task ${task.id}: something was heard after its last stop`);
  }
  return problems;
}

/** A task that ended normally has called its model after its last message, and replied. */
function auditAnswer({ id, status, log }: StoredTask): string[] {
  const end = log.at(-1)?.event;
  if (status === 'error') return [];
  if (status !== 'stopped' || end?.type !== 'stopped') return [`task ${id} is ${status} and does not rest`];
  if (end.by === 'user') return [];
  const asked = log.findLastIndex(({ event }) => event.type === 'user_message');
  const received = log.findLastIndex(({ event }) => event.type === 'model_started');
  const answered = log.findLastIndex(({ event }) => event.type === 'assistant_message');
  return asked < received && received < answered ? [] : [`task ${id} ended without an answer to its last message`];
}

/** Holds what clients were told against what is stored: nothing lost, nothing twice, nothing that nobody asked for. */
export function auditHistory(history: WorkHistory, tasks: readonly StoredTask[]): string[] {
  const places = findTokens(tasks);
  const texts = history.acts.filter(({ kind }) => kind !== 'stop');
  const known = new Set(texts.map(({ token }) => token));
  const byTask = Map.groupBy(
    history.acts.filter(({ taskId }) => taskId !== null),
    ({ taskId }) => String(taskId),
  );
  return [
    ...history.surprises,
    ...texts.flatMap((act) => auditText(act, places.get(act.token) ?? [])),
    ...[...places.keys()].filter((token) => !known.has(token)).map((token) => `nobody said ${token}`),
    ...tasks.flatMap((task) => [...auditStops(task, byTask.get(task.id) ?? []), ...auditAnswer(task)]),
  ];
}
