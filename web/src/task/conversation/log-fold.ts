import type { TaskEvent } from '@errand/client';
import { callOf } from './call-of.ts';
import { plainRow } from './plain-row.ts';
import { parseQuestion } from './question.ts';
import { isSilent, StepFold } from './step-fold.ts';
import type { StoppedReplies } from './stopped-replies.ts';
import type { ConfirmRow, EventOf, LogRow, PlanStep, TaskFile, TaskStatus } from './row.ts';

/** A longer row would be slow to open; further calls start another. */
const mostCalls = 100;

/**
 * Folds the events of a task one by one, in the order of the log. Rows are replaced, never mutated, so identical objects render
 * identically. Adding an event has a constant cost.
 */
export class LogFold {
  readonly rows: LogRow[] = [];
  readonly run = new StepFold();
  /** Newest of each name, in the order of their first appearance. */
  readonly files = new Map<string, TaskFile>();
  /** Whether somebody besides the owner has written. */
  hasAuthors = false;
  status: TaskStatus = 'running';
  /** One line about the agent's current activity. */
  brief = '';
  plan: readonly PlanStep[] = [];
  /** When the current or last turn began; null if unknown. */
  turnFromMs: number | null = null;
  modelWaiting: EventOf<'model_waiting'>['model_waiting'] | null = null;
  /** Most of a budget is used, as said since the turn began or last went on. */
  budgetWarning: EventOf<'budget_warning'>['budget_warning'] | null = null;
  readonly #knownCalls = new Set<string>();
  #lastAtMs: number | null = null;
  #isStoppedByUser = false;
  #askedBy: string | null = null;
  /** The position of the question or action that the task waits for, or is about to. */
  #openAt: number | null = null;
  readonly #stopped: StoppedReplies;

  constructor(stopped: StoppedReplies) {
    this.#stopped = stopped;
  }

  /** Who ended the last turn, if the task is stopped. */
  get stoppedBy(): 'agent' | 'user' {
    return this.#isStoppedByUser ? 'user' : 'agent';
  }

  read(event: TaskEvent): void {
    this.modelWaiting = null;
    this.#place(event);
    this.run.read(event, this.#lastAtMs);
    this.#lastAtMs = event.timestamp;
  }

  #place(event: TaskEvent): void {
    const { id: key, timestamp: atMs } = event;
    switch (event.type) {
      case 'user_message':
        return this.#placeUser(event);
      case 'assistant_message': {
        const { content: text, attachments } = event.assistant_message;
        this.#keepFiles(attachments, true, event);
        return void this.rows.push({ kind: 'agent', key, atMs, text, attachments, isAside: false, askedBy: this.#askedBy });
      }
      case 'explanation':
      case 'step_repeated':
      case 'error_message':
      case 'structured_output_result':
        return void this.rows.push(plainRow(event));
      case 'tool_used':
        return this.#placeTool(event);
      case 'model_waiting':
        return void (this.modelWaiting = event.model_waiting);
      case 'plan_update':
        return void (this.plan = event.plan_update.steps);
      case 'new_plan_step':
        return this.#addStep(event.new_plan_step.title);
      case 'status_update':
        return this.#placeStatus(event);
      case 'user_stop':
        return void (this.#isStoppedByUser = true);
      case 'budget_warning':
        return void (this.budgetWarning = event.budget_warning);
      case 'process_lost': // Told to the agent, which says what matters of it.
    }
  }

  #placeUser(event: EventOf<'user_message'>): void {
    const { id: key, timestamp: atMs } = event;
    const { content: text, message_type, attachments, author: authorId = null } = event.user_message;
    if (authorId !== null) this.hasAuthors = true;
    this.#askedBy = key;
    this.budgetWarning = null;
    this.#closeOpen('passed');
    this.#keepFiles(attachments, false, event);
    if (this.status !== 'running' || this.turnFromMs === null) this.turnFromMs = atMs;
    this.rows.push({ kind: 'user', key, atMs, authorId, text, isVoice: message_type === 'voice', attachments });
  }

  #placeTool(event: EventOf<'tool_used'>): void {
    const { action_id: actionId, params, declined: isDeclined = false } = event.tool_used;
    if (params !== undefined) return this.#prepare(event, params);
    const asked = this.rows[this.#openAt ?? -1];
    if (asked?.kind === 'confirm' && asked.actionId === actionId) {
      this.#closeOpen(isDeclined ? 'declined' : 'allowed');
    }
    if (isSilent(event.tool_used)) return;
    const call = callOf(event, this.#knownCalls.has(actionId));
    this.#knownCalls.add(actionId);
    const last = this.rows.at(-1);
    if (last?.kind === 'work' && last.calls.length < mostCalls) {
      this.rows[this.rows.length - 1] = { ...last, atMs: event.timestamp, calls: [...last.calls, call] };
      return;
    }
    const fromMs = this.#lastAtMs ?? event.timestamp;
    this.rows.push({ kind: 'work', key: `work:${call.key}`, atMs: event.timestamp, calls: [call], fromMs });
  }

  /** An action that needs confirmation: the following status says how. */
  #prepare({ id, timestamp, tool_used }: EventOf<'tool_used'>, params: Record<string, unknown>): void {
    const { tool, brief, action_id: actionId } = tool_used;
    const about = { actionKind: '', description: brief, schema: {}, tool, brief, params, actionId };
    this.#openAt = this.rows.length;
    this.rows.push({ kind: 'confirm', key: id, eventId: id, atMs: timestamp, ...about, outcome: 'passed' });
  }

  #placeStatus({ id: key, timestamp: atMs, status_update: update }: EventOf<'status_update'>): void {
    const { agent_status: status, brief } = update;
    if (status === 'waiting') this.#await(key, atMs, update.status_detail);
    else if (status === 'stopped') {
      this.#closeOpen('passed');
      this.rows.push(...this.#stopped.rowsOf(key, atMs));
      const by = update.status_detail.reason === 'no_model' ? 'nobody' : this.stoppedBy;
      this.rows.push({ kind: 'end', key, atMs, by, fromMs: this.turnFromMs });
    } else if (status === 'error') this.#closeOpen('passed');
    else this.#resume();
    this.status = status;
    this.brief = status === 'running' ? brief : '';
  }

  #resume(): void {
    const open = this.rows[this.#openAt ?? -1];
    // The outcome of the call tells whether the decision was yes or no; until then the row stays pending.
    if (open?.kind === 'confirm') this.#replaceOpen({ ...open, outcome: 'decided' });
    else this.#closeOpen('passed');
    if (this.status === 'waiting') this.budgetWarning = null;
    this.#isStoppedByUser = false;
  }

  #await(key: string, atMs: number, detail: EventOf<'status_update'>['status_update']['status_detail']): void {
    const { waiting_for_event_id: eventId = key, waiting_for_event_type: kind = 'messageAskUser' } = detail;
    const description = detail.waiting_description ?? '';
    const last = this.rows.at(-1);
    if (kind === 'messageAskUser' || kind === 'budget') {
      const isBudget = kind === 'budget';
      const isAsked = !isBudget && last?.kind === 'agent' && last.key === eventId;
      const said = isAsked ? last : { key: isBudget ? key : eventId, atMs, attachments: [] };
      if (isAsked) this.rows.pop();
      this.#openAt = this.rows.length;
      const { key: rowKey, atMs: saidAtMs, attachments } = said;
      const question = parseQuestion(isAsked ? last.text : description);
      this.rows.push({ kind: 'question', isBudget, key: rowKey, atMs: saidAtMs, attachments, ...question, isOpen: true });
      return;
    }
    const unseen = { kind: 'confirm', key: eventId, eventId, atMs, tool: '', brief: '', params: {}, actionId: null } as const;
    const shown: Omit<ConfirmRow, 'actionKind' | 'description' | 'schema' | 'outcome'> =
      last?.kind === 'confirm' && last.eventId === eventId ? last : unseen;
    if (shown === last) this.rows.pop();
    this.#openAt = this.rows.length;
    this.rows.push({ ...shown, actionKind: kind, description, schema: detail.confirm_input_schema ?? {}, outcome: 'open' });
  }

  #replaceOpen(row: LogRow): void {
    if (this.#openAt !== null) this.rows[this.#openAt] = row;
  }

  /** Closes whatever was open. */
  #closeOpen(outcome: 'allowed' | 'declined' | 'passed'): void {
    const row = this.rows[this.#openAt ?? -1];
    if (row?.kind === 'question') this.#replaceOpen({ ...row, isOpen: false });
    else if (row?.kind === 'confirm') this.#replaceOpen({ ...row, outcome });
    this.#openAt = null;
  }

  #addStep(title: string): void {
    if (this.plan.some((step) => step.title === title)) return;
    this.plan = [...this.plan, { title, status: 'todo', started_at: null, end_at: null }];
  }

  #keepFiles(
    attachments: readonly TaskFile['attachment'][],
    isFromAgent: boolean,
    { id: eventId, timestamp: atMs }: TaskEvent,
  ): void {
    for (const attachment of attachments) {
      this.files.set(`${isFromAgent ? 'out' : 'in'}/${attachment.filename}`, { attachment, isFromAgent, atMs, eventId });
    }
  }
}
