import { expect, it } from 'vitest';
import type { PublicEvent } from '../support/service/service-client.ts';
import { type CheckedApi, type CheckedMessage, checkAll } from './checker.ts';
import { knownMessage, type KnownTask, type WorkKind, works } from './known-work.ts';

interface Shown {
  status: string;
  events: PublicEvent[];
}

let count = 0;
function event(type: string, part: Record<string, unknown>): PublicEvent {
  count += 1;
  return { id: `e${count}`, type, timestamp: count, [type]: part };
}

function turnOf(content: string, kind: WorkKind): PublicEvent[] {
  const { reply, tools } = works[kind];
  return [
    event('user_message', { content }),
    ...tools.map((tool) => event('tool_used', { tool, status: 'success' })),
    event('assistant_message', { content: reply }),
    event('status_update', { agent_status: 'stopped' }),
  ];
}

function reportOf(type: string, taskId: string, number: number): CheckedMessage {
  const report = { event_id: `${type}_${taskId}_${number}`, event_type: type, task_detail: { task_id: taskId } };
  return { body: JSON.stringify(report), event: report };
}

/** A task with two turns that went well, as the API shows it and the receiver was told. */
function wellWorld() {
  const messages = [knownMessage('a', 'write'), knownMessage('b', 'slow')];
  const task: KnownTask = { id: 'task', messages };
  const shown = new Map<string, Shown>([
    ['task', { status: 'stopped', events: messages.flatMap(({ content, kind }) => turnOf(content, kind)) }],
  ]);
  const received = [
    reportOf('task_created', 'task', 0),
    reportOf('task_stopped', 'task', 1),
    reportOf('task_stopped', 'task', 2),
  ];
  const api: CheckedApi = {
    listStatuses: () => Promise.resolve(new Map([...shown].map(([id, { status }]) => [id, status]))),
    listEvents: (id) => Promise.resolve(shown.get(id)?.events ?? []),
  };
  return { task, shown, received, events: shown.get('task')?.events ?? [], check: () => checkAll(api, [task], received) };
}

type Change = (world: ReturnType<typeof wellWorld>) => unknown;

async function findProblems(change: Change): Promise<string> {
  const world = wellWorld();
  change(world);
  return (await world.check()).problems.join('\n');
}

it('the checker finds nothing where all went well, and takes a repeated report for granted', async () => {
  const world = wellWorld();
  world.received.push(reportOf('task_stopped', 'task', 2));
  expect(await world.check()).toEqual({ problems: [], failedTurns: 0, turns: 2 });
});

it.each<[what: string, change: Change, problem: RegExp]>([
  ['a task that is lost', ({ shown }) => shown.delete('task'), /task task is lost/],
  [
    'a task of nobody',
    ({ shown }) => shown.set('new', { status: 'stopped', events: [] }),
    /task new was made and nobody was told/,
  ],
  ['a message that is lost', ({ events }) => events.splice(-3), /"slow \[b\]" is lost/],
  ['a message that is there twice', ({ events }) => events.push(...turnOf('slow [b]', 'slow')), /"slow \[b\]" is there twice/],
  ['a message that nobody sent', ({ events }) => events.push(...turnOf('quick [c]', 'quick')), /nobody said "quick \[c\]"/],
  ['an event that is there twice', ({ events }) => events.push(...events.slice(-1)), /has an event twice/],
  ['a task that did not end', ({ shown, events }) => shown.set('task', { status: 'running', events }), /task task is running/],
  ['a missing reply', ({ events }) => events.splice(-2, 1), /"slow \[b\]" was answered \[\]/],
  ['a second reply', ({ events }) => events.push(event('assistant_message', { content: 'x' })), /was answered \["piece .*,"x"\]/],
  [
    'a tool that ran again',
    ({ events }) => events.splice(2, 0, event('tool_used', { tool: 'write_file' })),
    /ran (write_file,?){5}$/,
  ],
  ['a failure', ({ events }) => events.push(event('error_message', { error_type: 'model_failed' })), /failed: .*model_failed/],
  ['a report that never came', ({ received }) => received.splice(0, 1), /its creation was reported 0 times/],
  ['an end that was not reported', ({ received }) => received.splice(1, 1), /1 ends were reported, 2 happened/],
  [
    'an end that did not happen',
    ({ received }) => received.push(reportOf('task_stopped', 'task', 3)),
    /3 ends were reported, 2 happened/,
  ],
  [
    'reports that differ',
    ({ received }) => received.push({ ...reportOf('task_stopped', 'task', 2), body: '{}' }),
    /task_stopped_task_2 came with different bodies/,
  ],
])('the checker finds %s', async (_, change, problem) => {
  expect(await findProblems(change)).toMatch(problem);
});

it('the checker counts turns that ended because their workers were killed too often', async () => {
  const world = wellWorld();
  world.events.splice(-2, 1, event('error_message', { error_type: 'worker_failed' }));
  expect(await world.check()).toEqual({ problems: [], failedTurns: 1, turns: 2 });
});
