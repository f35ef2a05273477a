import { parseTraceparent, type SpanContext } from './trace-context.ts';
import type { CallBill, LoggedEvent, TaskEvent, TokenUsage, UserMessage } from '../events/task-event.ts';
import { addUsage } from '../context/token-usage.ts';
import { beginCall, type CallEnd, describeEnd, findCallError, isCallEnd, isCallStart } from './call-spans.ts';
import { describeMessages, describeUsage } from './span-attributes.ts';
import { type Attributes, closeSpan, type OpenSpan, openSpan, type Span } from './span.ts';
import { type ToolEvent, ToolSpans } from './tool-spans.ts';
import { rootSpan, spanIdOf, traceOf, type TracedTask } from './trace-ids.ts';

/** What is exported of a task besides its log. */
export interface TaskFactsOfTrace extends TracedTask {
  accountId: string;
  taskType: string;
  profile: string;
  agentId: string | null;
}

export interface TaskSpansParts {
  task: TaskFactsOfTrace;
  /** Whether what people, models, and tools wrote is exported. */
  hasContent: boolean;
  /** Whether an earlier part of the log has had turns. */
  isResumed: boolean;
}

interface OpenTurn {
  span: OpenSpan;
  usage: TokenUsage;
  cost: number;
  error: string | null;
}

const endings = { waiting: 'waiting', stopped: 'stopped', failed: 'error' } as const;
type Ending = Extract<TaskEvent, { type: keyof typeof endings }>;

function isEnding(event: TaskEvent): event is Ending {
  return event.type in endings;
}

function isToolEvent(event: TaskEvent): event is ToolEvent {
  return event.type === 'tool_started' || event.type === 'step_repeated' || event.type === 'tool_finished';
}

/** Events of the log that are shown within the turn. */
function describeMoment(event: TaskEvent): Attributes | null {
  switch (event.type) {
    case 'model_waiting':
      return { 'errand.model': event.model };
    case 'process_lost':
      return { 'errand.processes': event.things.length };
    case 'budget_warning':
      return { 'errand.budget.scope': event.scope };
    case 'context_cleared':
      return { 'errand.results': event.results.length };
    default:
      return null;
  }
}

/**
 * The spans of a task, made of its log: one for each turn, in it those of its model calls and tool calls. IDs are computed from the IDs of the
 * task and its events, so the spans are the same whoever makes them and however often, and a task is one trace whichever workers it had.
 */
export class TaskSpans {
  readonly #parts: TaskSpansParts;
  readonly #trace: ReturnType<typeof traceOf>;
  readonly #rootId: string;
  readonly #tools: ToolSpans;
  #turn: OpenTurn | null = null;
  #call: OpenSpan | null = null;
  /** Messages that the next turn begins with. */
  #said: UserMessage[] = [];
  #hasBegun: boolean;

  constructor(parts: TaskSpansParts) {
    const { task, hasContent } = parts;
    this.#parts = parts;
    this.#trace = traceOf(task);
    this.#rootId = spanIdOf(task.taskId, rootSpan);
    this.#tools = new ToolSpans({ taskId: task.taskId, traceId: this.#trace.traceId, hasContent });
    this.#hasBegun = parts.isResumed;
  }

  /** Whether no turn is open: what follows can be read later, by another. */
  get isBetweenTurns(): boolean {
    return this.#turn === null;
  }

  /** Returns the spans that end with the next event of the log. */
  add({ seq, atMs, event }: LoggedEvent): Span[] {
    if (event.type === 'user_message') return this.#receive(event, atMs);
    if (event.type === 'running') return this.#begin(seq, atMs);
    const turn = this.#turn;
    if (!turn) return [];
    if (isCallStart(event)) {
      const cut = this.#cutCall(atMs, 'interrupted');
      this.#call = beginCall({ seq, atMs, event }, { taskId: this.#parts.task.taskId, parentSpanId: turn.span.spanId });
      const { 'gen_ai.provider.name': provider, 'gen_ai.request.model': model } = this.#call.attributes;
      turn.span.attributes = {
        'gen_ai.provider.name': provider ?? '',
        'gen_ai.request.model': model ?? '',
        ...turn.span.attributes,
      };
      return cut;
    }
    if (isCallEnd(event)) return this.#endCall(turn, event, atMs);
    if (isToolEvent(event)) return this.#tools.add(event, turn.span.spanId, atMs);
    if (isEnding(event)) return this.#end(turn, event, atMs);
    if (event.type === 'error') turn.error = event.errorType;
    const attributes = describeMoment(event);
    if (attributes) turn.span.events.push({ name: `errand.${event.type}`, atMs, attributes });
    return [];
  }

  #receive(message: UserMessage, atMs: number): Span[] {
    if (!this.#turn) {
      this.#said.push(message);
      return [];
    }
    const { span } = this.#turn;
    span.events.push({ name: 'errand.user_message', atMs, attributes: {} });
    span.links.push(...this.#findContexts([message]).filter(({ traceId }) => traceId !== this.#trace.traceId));
    return [];
  }

  #findContexts(messages: readonly UserMessage[]): SpanContext[] {
    return messages.flatMap(({ traceparent }) => (traceparent === undefined ? [] : (parseTraceparent(traceparent) ?? [])));
  }

  /**
   * Begins a span of a turn: below the span of the message's sender if that is in this trace, otherwise below the first turn, with a link
   * to it.
   */
  #begin(seq: number, atMs: number): Span[] {
    const { task, hasContent } = this.#parts;
    const contexts = this.#findContexts(this.#said);
    const isFirst = !this.#hasBegun;
    const sender = contexts.findLast(({ traceId }) => traceId === this.#trace.traceId);
    const texts = this.#said.map(({ text }) => text);
    this.#said = [];
    this.#hasBegun = true;
    const span = openSpan({
      spanId: isFirst ? this.#rootId : spanIdOf(task.taskId, `turn ${seq}`),
      parentSpanId: isFirst ? this.#trace.parentSpanId : (sender?.spanId ?? this.#rootId),
      name: 'invoke_agent errand',
      kind: 'internal',
      startMs: atMs,
      links: contexts.filter(({ traceId }) => traceId !== this.#trace.traceId),
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'errand',
        ...(task.agentId !== null && { 'gen_ai.agent.id': task.agentId }),
        'gen_ai.conversation.id': task.taskId,
        'errand.account.id': task.accountId,
        'errand.task.type': task.taskType,
        'errand.profile': task.profile,
        ...(hasContent && texts.length > 0 && { 'gen_ai.input.messages': describeMessages(texts) }),
      },
    });
    this.#turn = { span, usage: { input: 0, output: 0, cached: 0 }, cost: 0, error: null };
    return [];
  }

  #endCall(turn: OpenTurn, event: CallEnd, atMs: number): Span[] {
    const call = this.#call;
    this.#call = null;
    if (!call) return [];
    Object.assign(call.attributes, describeEnd(event, this.#parts.hasContent));
    turn.usage = addUsage(turn.usage, event.usage);
    turn.cost += event.cost ?? 0;
    if (event.type === 'model_finished') {
      const calls = event.parts.filter((part) => part.type === 'call');
      this.#tools.request(calls, turn.span.spanId, atMs);
    }
    return [closeSpan(this.#trace.traceId, call, atMs, findCallError(event))];
  }

  #cutCall(atMs: number, error: string): Span[] {
    const call = this.#call;
    this.#call = null;
    return call ? [closeSpan(this.#trace.traceId, call, atMs, error)] : [];
  }

  #end(turn: OpenTurn, event: Ending, atMs: number): Span[] {
    const isStopped = event.type === 'stopped' && event.by === 'user';
    const cutBy = isStopped ? 'cancelled' : 'interrupted';
    const call = this.#cutCall(atMs, cutBy);
    const asked = event.type === 'waiting' && event.callId !== null && !event.action ? this.#tools.ask(event.callId, atMs) : [];
    // A call that waits with its task continues later.
    const cut = event.type === 'waiting' ? [] : this.#tools.cut(atMs, cutBy);
    this.#tools.clear();
    this.#turn = null;
    const bill: CallBill = { usage: turn.usage, cost: turn.cost };
    Object.assign(turn.span.attributes, describeUsage(bill), { 'errand.task.status': endings[event.type] });
    if (isStopped) turn.span.attributes['errand.stopped_by'] = 'user';
    const error = event.type === 'failed' ? (turn.error ?? '_OTHER') : null;
    return [...call, ...asked, ...cut, closeSpan(this.#trace.traceId, turn.span, atMs, error)];
  }
}
