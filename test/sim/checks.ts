import type { ToolResult } from '../../src/rules/context/transcript.ts';
import { isDeepStrictEqual } from 'node:util';
import type { LoggedEvent, TaskEvent } from '../../src/rules/events/task-event.ts';
import { askTool, emptyState, fold, foldAll, hasAnswered } from '../../src/rules/tasks/task-state.ts';
import type { RowValues } from '../../src/store/db/store-operation.ts';
import { auditBills } from '../support/credits/ledger-audit.ts';
import type { ToolRuns } from './actors.ts';

/** The row of a task, as far as the log must agree with it. */
export interface TaskRow {
  id: string;
  status: string;
  last_seq: number;
  last_event_at: number;
  wake_at: number | null;
  lease_owner: string | null;
  fence: number;
  input_tokens: number;
  credits: number;
}

export interface Said {
  text: string;
  /** False if the caller was notified that it may have failed. */
  isAcknowledged: boolean;
}

function demand(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

/** The log is whole: gapless, in order, and every event follows from those before it. */
function checkLog(row: TaskRow, log: readonly LoggedEvent[]): void {
  demand(
    log.every(({ seq }, index) => seq === index + 1),
    'the numbers have a gap',
  );
  demand(
    log.every(({ atMs }, index) => atMs > (log[index - 1]?.atMs ?? 0)),
    'the times do not grow',
  );
  const state = foldAll(log);
  demand(state.status === row.status, `the row says ${row.status}, the log ${state.status}`);
  demand(state.seq === row.last_seq && state.lastAtMs === row.last_event_at, 'the head of the log is wrong');
  demand((row.wake_at !== null) === (row.status === 'running'), 'only running tasks are to be claimed');
  demand(row.lease_owner === null || row.status === 'running', 'a task at rest has a lease');
  demand(state.usage.input === row.input_tokens, 'the bill is wrong');
}

/** The agent never has the last word over something it has not heard. */
function checkEndings(log: readonly LoggedEvent[]): void {
  let state = emptyState;
  for (const logged of log) {
    const isEnd = logged.event.type === 'stopped' && logged.event.by === 'agent';
    demand(!isEnd || hasAnswered(state), 'a turn ended before the agent had answered');
    state = fold(state, logged);
  }
}

/** The conversation contains every message once, in order of arrival; the service's own notes stand between them. */
function checkConversation(log: readonly LoggedEvent[]): void {
  const state = foldAll(log);
  const said = log.flatMap(({ event }) => (event.type === 'user_message' ? [event.text] : []));
  // An answer of another day says so at its end.
  const answers = (results: readonly ToolResult[]) =>
    results.flatMap(({ tool, isError, output }) =>
      tool === askTool && !isError ? [output.replace(/\n\n\[This message is of .*\]$/, '')] : [],
    );
  const received = state.transcript.flatMap((entry) => {
    if (entry.role === 'user') return entry.isNote === true ? [] : [entry.text];
    return entry.role === 'tool' ? answers(entry.results) : [];
  });
  const all = [
    ...received,
    ...answers(state.results),
    ...state.pendingMessages.flatMap(({ text, isNote }) => (isNote === true ? [] : [text])),
  ];
  demand(isDeepStrictEqual(all, said), 'the conversation has another order than the log');
}

/** Each turn ends once: with a stop, an answer of the agent's, or an error, and never with two of them. */
function checkTurns(log: readonly LoggedEvent[]): void {
  let isOver = false;
  for (const { event } of log) {
    if (event.type === 'stopped' || event.type === 'failed') {
      demand(!isOver, 'a turn ended twice');
      isOver = true;
    }
    if (event.type === 'running') isOver = false;
  }
}

/** What was said is there once, in order of the log; what may have failed is there at most once. */
function checkMessages(log: readonly LoggedEvent[], said: readonly Said[]): void {
  const texts = log.flatMap(({ event }) => (event.type === 'user_message' ? [event.text] : []));
  for (const { text, isAcknowledged } of said) {
    const count = texts.filter((one) => one === text).length;
    demand(count === 1 || (count === 0 && !isAcknowledged), `"${text}" is in the log ${count} times`);
  }
  demand(
    texts.every((text) => said.some((one) => one.text === text)),
    'the log has a message that nobody sent',
  );
}

/** A call has one result; one that may not be repeated was never run twice. */
function checkCalls(log: readonly LoggedEvent[], runs: ToolRuns): void {
  const ended = new Map<string, TaskEvent>();
  for (const { event } of log) {
    if (event.type !== 'tool_finished') continue;
    demand(!ended.has(event.callId), `call ${event.callId} has two results`);
    ended.set(event.callId, event);
    if (event.tool === 'send') demand((runs.counts.get(event.callId) ?? 0) <= 1, `call ${event.callId} was sent twice`);
  }
}

export function checkTask(row: TaskRow, log: readonly LoggedEvent[], said: readonly Said[], runs: ToolRuns): void {
  checkLog(row, log);
  checkTurns(log);
  checkEndings(log);
  checkConversation(log);
  checkMessages(log, said);
  checkCalls(log, runs);
}

/** Every session is in the ledger once, at what its log says, whatever became of its workers. */
export function checkLedger(row: TaskRow, log: readonly LoggedEvent[], records: readonly RowValues[]): void {
  const [problem] = auditBills(row.id, log, records);
  demand(problem === undefined, problem ?? '');
  const sum = records.reduce((total, { credits }) => total - Number(credits), 0);
  demand(sum === row.credits, `the ledger adds up to ${sum}, the row says ${row.credits}`);
}

/** A log only grows. */
export function checkGrowth(before: readonly LoggedEvent[], now: readonly LoggedEvent[]): void {
  demand(isDeepStrictEqual(now.slice(0, before.length), before), 'the log was changed');
}

/** At the end of a run: nothing is left to do and nobody was left unheard. */
export function checkIdle(row: TaskRow, log: readonly LoggedEvent[]): void {
  demand(row.status !== 'running', `task ${row.id} never came to rest`);
  demand(foldAll(log).pendingMessages.length === 0, 'a message was never heard');
}
