import type { PublicEvent } from '../support/service/service-client.ts';
import { type KnownMessage, type KnownTask, works } from './known-work.ts';

/** What the checker reads of a service: public operations only. */
export interface CheckedApi {
  listStatuses(): Promise<Map<string, string>>;
  listEvents(taskId: string): Promise<PublicEvent[]>;
}

/** A webhook message as it came. */
export interface CheckedMessage {
  body: string;
  event: { event_id: string; event_type: string } & Record<string, unknown>;
}

export interface Findings {
  problems: string[];
  /** Turns that ended with `worker_failed`, as a task does whose workers were killed three times. */
  failedTurns: number;
  turns: number;
}

const partOf = (event: PublicEvent): Record<string, unknown> => (event[event.type] ?? {}) as Record<string, unknown>;

/** The events of each turn: from a message of the user up to the next one. */
function splitTurns(events: readonly PublicEvent[]): PublicEvent[][] {
  const turns: PublicEvent[][] = [];
  for (const event of events) {
    if (event.type === 'user_message') turns.push([]);
    turns.at(-1)?.push(event);
  }
  return turns;
}

function checkTurn(
  what: string,
  message: KnownMessage,
  turn: readonly PublicEvent[],
): { problems: string[]; hasFailed: boolean } {
  const { reply, tools } = works[message.kind];
  const failure = turn.find(({ type }) => type === 'error_message');
  if (failure && partOf(failure)['error_type'] === 'worker_failed') return { problems: [], hasFailed: true };
  if (failure) return { problems: [`${what} failed: ${JSON.stringify(partOf(failure))}`], hasFailed: false };
  const replies = turn.filter(({ type }) => type === 'assistant_message').map((event) => String(partOf(event)['content']));
  const ran = turn.filter(({ type }) => type === 'tool_used').map((event) => String(partOf(event)['tool']));
  const problems = [
    ...(replies.length === 1 && replies[0] === reply ? [] : [`${what} was answered ${JSON.stringify(replies)}`]),
    ...(ran.join() === tools.join() ? [] : [`${what} ran ${ran.join() || 'no tool'}`]),
  ];
  return { problems, hasFailed: false };
}

function checkTask(task: KnownTask, events: readonly PublicEvent[]): Findings {
  const turns = splitTurns(events);
  const ids = events.map(({ id }) => id);
  const said = turns.map(([event]) => String(event ? partOf(event)['content'] : ''));
  const expected = task.messages.map(({ content }) => content);
  const problems = [
    ...(new Set(ids).size === ids.length ? [] : [`task ${task.id} has an event twice`]),
    ...expected.filter((content) => !said.includes(content)).map((content) => `task ${task.id}: "${content}" is lost`),
    ...expected
      .filter((content) => said.indexOf(content) !== said.lastIndexOf(content))
      .map((content) => `task ${task.id}: "${content}" is there twice`),
    ...said.filter((content) => !expected.includes(content)).map((content) => `task ${task.id}: nobody said "${content}"`),
  ];
  let failedTurns = 0;
  if (problems.length === 0) {
    for (const [index, message] of task.messages.entries()) {
      const checked = checkTurn(`task ${task.id}, "${message.content}"`, message, turns[index] ?? []);
      problems.push(...checked.problems);
      if (checked.hasFailed) failedTurns += 1;
    }
  }
  return { problems, failedTurns, turns: task.messages.length };
}

/** Each task was reported at its creation and at the end of each turn; a repetition is the same message. */
function checkWebhooks(tasks: readonly KnownTask[], received: readonly CheckedMessage[]): string[] {
  const byId = Map.groupBy(received, ({ event }) => event.event_id);
  const different = [...byId].filter(([, copies]) => new Set(copies.map(({ body }) => body)).size > 1);
  const reported = Map.groupBy(byId.values(), ([first]) => {
    const detail = first?.event['task_detail'] as { task_id?: string } | undefined;
    return `${first?.event.event_type} ${detail?.task_id}`;
  });
  return [
    ...different.map(([id]) => `webhook message ${id} came with different bodies`),
    ...tasks.flatMap(({ id, messages }) => {
      const created = reported.get(`task_created ${id}`)?.length ?? 0;
      const stopped = reported.get(`task_stopped ${id}`)?.length ?? 0;
      return [
        ...(created === 1 ? [] : [`task ${id}: its creation was reported ${created} times`]),
        ...(stopped === messages.length ? [] : [`task ${id}: ${stopped} ends were reported, ${messages.length} happened`]),
      ];
    }),
  ];
}

/**
 * Compares what clients were told with what the API shows and the receiver got, without a look into the database: nothing lost,
 * nothing doubled, every task ended with the expected result, every report delivered.
 */
export async function checkAll(
  api: CheckedApi,
  tasks: readonly KnownTask[],
  received: readonly CheckedMessage[],
): Promise<Findings> {
  const statuses = await api.listStatuses();
  const known = new Set(tasks.map(({ id }) => id));
  const findings: Findings = { problems: [], failedTurns: 0, turns: 0 };
  for (const id of statuses.keys()) if (!known.has(id)) findings.problems.push(`task ${id} was made and nobody was told`);
  for (const task of tasks) {
    const status = statuses.get(task.id);
    if (status === undefined) findings.problems.push(`task ${task.id} is lost`);
    else if (status !== 'stopped' && status !== 'error') findings.problems.push(`task ${task.id} is ${status}`);
    if (status === undefined) continue;
    const { problems, failedTurns, turns } = checkTask(task, await api.listEvents(task.id));
    findings.problems.push(...problems);
    findings.failedTurns += failedTurns;
    findings.turns += turns;
  }
  findings.problems.push(...checkWebhooks(tasks, received));
  return findings;
}
