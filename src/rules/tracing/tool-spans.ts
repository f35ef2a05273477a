import { isConnectorTool } from '../connectors/connector.ts';
import type { CallPart, TaskEvent } from '../events/task-event.ts';
import { clipText } from './span-attributes.ts';
import { spanIdOf, toolSpan } from './trace-ids.ts';
import { closeSpan, type OpenSpan, openSpan, type Span } from './span.ts';

export type ToolEvent = Extract<TaskEvent, { type: 'tool_started' | 'step_repeated' | 'tool_finished' }>;
type Finished = Extract<TaskEvent, { type: 'tool_finished' }>;

/** A name that tools can have; a model may write anything in its place. */
function nameTool(name: string): string {
  return /^[\w-]{1,128}$/.test(name) ? name : '_OTHER';
}

interface OpenTool {
  span: OpenSpan;
  /** Whether a start of it is logged: it may have had effects. */
  isStarted: boolean;
}

export interface ToolSpansParts {
  taskId: string;
  traceId: string;
  /** Whether arguments and results are exported. */
  hasContent: boolean;
}

/** The spans of the tool calls of a task: each call has one, however often it was begun. */
export class ToolSpans {
  readonly #parts: ToolSpansParts;
  readonly #open = new Map<string, OpenTool>();
  /** When the last call ended: the calls of a reply run one after the other. */
  #lastEndMs = 0;

  constructor(parts: ToolSpansParts) {
    this.#parts = parts;
  }

  #begin(call: Pick<CallPart, 'id' | 'tool'>, parentSpanId: string, startMs: number): OpenTool {
    const { taskId } = this.#parts;
    const tool = nameTool(call.tool);
    const span = openSpan({
      spanId: spanIdOf(taskId, toolSpan(call.id)),
      parentSpanId,
      name: `execute_tool ${tool}`,
      kind: 'internal',
      startMs,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.conversation.id': taskId,
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.id': call.id,
        'gen_ai.tool.type': isConnectorTool(tool) ? 'extension' : 'function',
      },
    });
    const open = { span, isStarted: false };
    this.#open.set(call.id, open);
    return open;
  }

  /** The calls of a reply. */
  request(calls: readonly CallPart[], parentSpanId: string, atMs: number): void {
    for (const call of calls) {
      const { span } = this.#begin(call, parentSpanId, atMs);
      if (this.#parts.hasContent) span.attributes['gen_ai.tool.call.arguments'] = clipText(JSON.stringify(call.input));
    }
  }

  /** Returns the span that has ended with this event, if one has. A call of an earlier turn, which was waited for, belongs to this one. */
  add(event: ToolEvent, parentSpanId: string, atMs: number): Span[] {
    const { callId: id, tool } = event;
    const open = this.#open.get(id) ?? this.#begin({ id, tool }, parentSpanId, atMs);
    if (event.type === 'tool_finished') return [this.#end(open, event, atMs)];
    if (!open.isStarted) open.span.startMs = event.type === 'step_repeated' ? event.firstStartedAtMs : atMs;
    open.isStarted = true;
    if (event.type === 'step_repeated') {
      const attributes = { 'errand.repeat.reason': event.reason, 'errand.call.attempt': event.attempt };
      open.span.events.push({ name: 'errand.step_repeated', atMs, attributes });
    }
    return [];
  }

  #end({ span, isStarted }: OpenTool, event: Finished, atMs: number): Span {
    this.#open.delete(event.callId);
    // Subtasks run side by side from their request on; other calls that do not tell their begin followed the one before.
    const earliestMs = event.tool === 'create_subtask' ? span.startMs : Math.max(span.startMs, this.#lastEndMs);
    if (!isStarted) span.startMs = event.startedAtMs ?? earliestMs;
    this.#lastEndMs = atMs;
    if (this.#parts.hasContent) span.attributes['gen_ai.tool.call.result'] = clipText(event.output);
    const refused = event.isRefused === true ? 'refused' : 'tool_error';
    return closeSpan(this.#parts.traceId, span, atMs, event.status === 'error' ? refused : null);
  }

  /** The call whose answer is waited for has done its part. */
  ask(callId: string, atMs: number): Span[] {
    const open = this.#open.get(callId);
    return open ? [closeSpan(this.#parts.traceId, open.span, atMs, null)] : [];
  }

  /** Ends the calls that were begun, as a turn does that ends with open calls; those that never ran have no span. */
  cut(atMs: number, error: string): Span[] {
    return [...this.#open.values()].flatMap(({ span, isStarted }) =>
      isStarted ? [closeSpan(this.#parts.traceId, span, atMs, error)] : [],
    );
  }

  /** Forgets what is open: what continues after a pause begins anew. */
  clear(): void {
    this.#open.clear();
  }
}
