import type { OutputDelta, ReplyDelta, TaskEvent } from '@errand/client';
import { Drafts } from './drafts.ts';
import type { GrowingFile } from './growing-file.ts';
import { LogFold } from './log-fold.ts';
import { type NewMessage, PendingMessages } from './pending-messages.ts';
import type { DraftRow, LogRow, PlanStep, Row, TaskFile, TaskStatus } from './row.ts';
import { RunningCalls, rowWithRunning } from './running-calls.ts';
import type { Chapter, Step } from './step.ts';
import { StoppedReplies } from './stopped-replies.ts';

/** A snapshot of a conversation for rendering. */
export interface ConversationView {
  readonly length: number;
  rowAt(index: number): Row | undefined;
}

/**
 * The displayed state of a task: its log, partial replies and running calls, and messages that are not in the log yet. Duplicate events are
 * ignored. Adding an event has a constant cost.
 */
export class Conversation {
  #events: TaskEvent[] = [];
  readonly #stopped: StoppedReplies;
  #log: LogFold;
  readonly #drafts = new Drafts();
  readonly #running = new RunningCalls();
  #pending = new PendingMessages();
  #draftRow: DraftRow | null = null;
  #workRow: LogRow | null = null;
  #past: { eventId: string; conversation: Conversation } | null = null;
  /** Grows with every change. */
  version = 0;

  constructor(stopped = new StoppedReplies()) {
    this.#stopped = stopped;
    this.#log = new LogFold(stopped);
  }

  /** The event after which a stream resumes. */
  get lastEventId(): string | null {
    return this.#events.at(-1)?.id ?? null;
  }

  get firstEventId(): string | null {
    return this.#events[0]?.id ?? null;
  }

  get eventCount(): number {
    return this.#events.length;
  }

  get status(): TaskStatus {
    return this.#log.status;
  }

  get hasAuthors(): boolean {
    return this.#log.hasAuthors;
  }

  get stoppedBy(): 'agent' | 'user' {
    return this.#log.stoppedBy;
  }

  get brief(): string {
    return this.#log.brief;
  }

  get plan(): readonly PlanStep[] {
    return this.#log.plan;
  }

  get files(): readonly TaskFile[] {
    return [...this.#log.files.values()];
  }

  get steps(): readonly Step[] {
    return this.#log.run.steps;
  }

  /** The phases of the plan, by the position of their first step. */
  get chapters(): readonly Chapter[] {
    return this.#log.run.chapters;
  }

  /** The model that the task waits for and the budget that is nearly used up; null for none. */
  get notices(): Pick<LogFold, 'modelWaiting' | 'budgetWarning'> {
    return this.#log;
  }

  get turnFromMs(): number | null {
    return this.#log.turnFromMs;
  }

  /** Adds an event after the known ones; others are ignored as duplicates. */
  append(event: TaskEvent): boolean {
    if (this.lastEventId !== null && event.id <= this.lastEventId) return false;
    this.#stopped.keep(event, this.#events.at(-1), this.#drafts.current);
    this.#events.push(event);
    this.#log.read(event);
    this.#endPassing(event);
    this.#change();
    return true;
  }

  /** Adds older events, in the order of the log. Known ones are skipped. */
  prepend(events: readonly TaskEvent[]): void {
    const first = this.firstEventId;
    const older = first === null ? events : events.filter(({ id }) => id < first);
    if (older.length === 0) return;
    this.#events = [...older, ...this.#events];
    this.#log = new LogFold(this.#stopped);
    for (const event of this.#events) this.#log.read(event);
    this.#change();
  }

  /** The file that the agent is writing, or has written last in this turn; null for none, and in replays. */
  get growingFile(): GrowingFile | null {
    return this.#running.files.current;
  }

  addDelta(delta: ReplyDelta): void {
    if (this.#drafts.add(delta)) this.#change();
  }

  addOutput(output: OutputDelta): void {
    if (this.#running.add(output)) this.#change();
  }

  /** Adds a message that is being sent. */
  addPending(message: NewMessage): void {
    this.#pending.add(message);
    this.#change();
  }

  /** Marks a message as accepted or failed. Does nothing if the log already has it. */
  markPending(key: string, delivery: 'sending' | 'accepted' | 'failed', problem: string | null = null): void {
    if (this.#pending.mark(key, delivery, problem)) this.#change();
  }

  dropPending(key: string): void {
    if (this.#pending.drop(key)) this.#change();
  }

  /** An empty conversation, to reload the log, with the messages being sent. */
  renew(): Conversation {
    const anew = new Conversation(this.#stopped);
    anew.#pending = this.#pending;
    anew.version = this.version + 1;
    return anew;
  }

  /** The conversation as it was right after an event; the same object until older events arrive or another is asked for. */
  until(eventId: string): Conversation {
    const known = this.#past;
    if (known?.eventId === eventId && known.conversation.firstEventId === this.firstEventId) return known.conversation;
    const past = new Conversation(this.#stopped);
    for (const event of this.#events) {
      if (event.id > eventId) break;
      past.#events.push(event);
      past.#log.read(event);
    }
    past.#change();
    this.#past = { eventId, conversation: past };
    return past;
  }

  /** Rows in order: the log, then partial output, then messages being sent. */
  view(): ConversationView {
    const { rows } = this.#log;
    const work = this.#workRow;
    const isWorkLast = work !== null && rows.at(-1)?.key === work.key;
    const logLength = isWorkLast ? rows.length - 1 : rows.length;
    const tail: Row[] = [work, this.#draftRow, ...this.#pending.rows].filter((row) => row !== null);
    return {
      length: logLength + tail.length,
      rowAt: (index) => (index < logLength ? rows[index] : tail[index - logLength]),
    };
  }

  #endPassing(event: TaskEvent): void {
    if (event.type === 'assistant_message') this.#drafts.close(event.assistant_message.content);
    else if (event.type === 'explanation') this.#drafts.close(event.explanation.content);
    else if (event.type === 'tool_used') this.#running.finish(event.tool_used.action_id);
    else if (event.type === 'user_message') this.#pending.match(event);
    else if (event.type === 'status_update' && event.status_update.agent_status !== 'running') {
      this.#drafts.clear();
      this.#running.clear();
    }
  }

  #change(): void {
    this.version += 1;
    // Anything that arrives after the end of the turn is late.
    const isRunning = this.#log.status === 'running';
    const current = isRunning ? this.#drafts.current : null;
    const atMs = this.#events.at(-1)?.timestamp ?? 0;
    this.#draftRow = current && { kind: 'draft', key: `draft:${current.step}`, atMs, text: current.text, isCut: current.isCut };
    this.#workRow = isRunning ? rowWithRunning(this.#log.rows.at(-1), this.#running.calls) : null;
  }
}
