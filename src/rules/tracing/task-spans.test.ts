import { describe, expect, it } from 'vitest';
import type { LoggedEvent, TaskEvent } from '../events/task-event.ts';
import { readSpans } from './log-spans.ts';
import type { Span } from './span.ts';
import { TaskSpans, type TaskSpansParts } from './task-spans.ts';
import { rootSpan, spanIdOf, toolSpan, traceOf } from './trace-ids.ts';

const taskId = '0Task';
const task = { taskId, accountId: 'a1', taskType: 'standard', profile: 'service-1.6', agentId: null };
const root = spanIdOf(taskId, rootSpan);

const usage = { input: 100, output: 20, cached: 60 };
const user = (traceparent?: string): TaskEvent => ({
  type: 'user_message',
  kind: 'text',
  text: 'A canary of a message',
  ...(traceparent !== undefined && { traceparent }),
});
const running: TaskEvent = { type: 'running', brief: 'Started' };
const asks = (step = 1, attempt = 1): TaskEvent => ({
  type: 'model_started',
  step,
  attempt,
  model: 'anthropic/claude-x',
  estimatedInput: 90,
});
const replies = (...callIds: string[]): TaskEvent => ({
  type: 'model_finished',
  step: 1,
  parts: callIds.length
    ? callIds.map((id) => ({ type: 'call' as const, id, tool: 'run_shell', input: { command: 'canary' } }))
    : [{ type: 'text', text: 'A canary of a reply' }],
  usage,
  cost: 1500,
});
const ends = (callId: string, more: Partial<Extract<TaskEvent, { type: 'tool_finished' }>> = {}): TaskEvent => ({
  ...{ type: 'tool_finished', callId, tool: 'run_shell', status: 'success', output: 'A canary of an output' },
  ...{ brief: '', action: '', param: '' },
  ...more,
});
const stopped: TaskEvent = { type: 'stopped', by: 'agent' };

/** A log in which an event is logged every 10 ms. */
function logOf(...events: TaskEvent[]): LoggedEvent[] {
  return events.map((event, index) => ({ seq: index + 1, atMs: 1000 + 10 * index, event }));
}

function spansOf(log: readonly LoggedEvent[], parts: Partial<TaskSpansParts> = {}): Span[] {
  const spans = new TaskSpans({ task, hasContent: false, isResumed: false, ...parts });
  return log.flatMap((logged) => spans.add(logged));
}

const named = (spans: readonly Span[], name: string) => spans.filter((span) => span.name === name);

describe('the trace of a task', () => {
  const log = logOf(user(), running, asks(), replies('c1'), {
    type: 'tool_started',
    callId: 'c1',
    tool: 'run_shell',
    attempt: 1,
  });
  const whole = [...log, ...logOf(...log.map(() => running), ends('c1'), asks(2), replies(), stopped).slice(log.length)];

  it('has a span for each turn, model call, and tool call, by the conventions for generative AI', () => {
    const spans = spansOf(whole);
    expect(spans.map(({ name, kind, startMs, endMs }) => [name, kind, startMs, endMs])).toEqual([
      ['chat claude-x', 'client', 1020, 1030],
      ['execute_tool run_shell', 'internal', 1040, 1050],
      ['chat claude-x', 'client', 1060, 1070],
      ['invoke_agent errand', 'internal', 1010, 1080],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceOf(task).traceId]));
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([root, root, root, null]);
    expect(spans[0]?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': taskId,
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-x',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.response.finish_reasons': ['tool_call'],
      'errand.call.kind': 'step',
      'errand.call.attempt': 1,
      'errand.cost.microcredits': 1500,
    });
    expect(spans[1]?.attributes).toMatchObject({ 'gen_ai.tool.name': 'run_shell', 'gen_ai.tool.call.id': 'c1' });
    expect(spans[3]?.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 200,
      'errand.cost.microcredits': 3000,
      'errand.task.status': 'stopped',
    });
  });

  it('contains nothing that people, models, or tools wrote unless that is wanted', () => {
    expect(JSON.stringify(spansOf(whole))).not.toContain('canary');
    const shown = JSON.stringify(spansOf(whole, { hasContent: true }));
    for (const part of ['a message', 'a reply', 'an output']) expect(shown).toContain(`canary of ${part}`);
  });

  it('is the same however often and from whichever end of a turn its log is read', async () => {
    const longer = [
      ...whole,
      ...[user(), running, asks(), replies(), stopped].map((event, at) => ({ seq: 10 + at, atMs: 2000 + at, event })),
    ];
    const read = async (afterSeq: number, page: number) => {
      const spans: Span[] = [];
      const next = (seq: number) => Promise.resolve(longer.filter((one) => one.seq > seq).slice(0, page));
      for await (const part of readSpans({ task, hasContent: false, afterSeq, read: next })) spans.push(...part.spans);
      return spans;
    };
    const once = await read(0, 500);
    expect(await read(0, 1)).toEqual(once);
    expect(await read(9, 2)).toEqual(once.slice(4));
    expect(new Set(once.map(({ spanId }) => spanId)).size).toBe(once.length);
    expect(once.at(-1)?.parentSpanId).toBe(root);
  });

  it('shows a call that ended with its worker as interrupted, and the tool that was run again as one span', () => {
    const spans = spansOf(
      logOf(
        user(),
        running,
        asks(),
        asks(),
        replies('c1'),
        { type: 'tool_started', callId: 'c1', tool: 'run_shell', attempt: 1 },
        { type: 'step_repeated', callId: 'c1', tool: 'run_shell', attempt: 2, reason: 'crash', firstStartedAtMs: 1050 },
        ends('c1', { startedAtMs: 1060 }),
        stopped,
      ),
    );
    expect(named(spans, 'chat claude-x').map(({ error }) => error)).toEqual(['interrupted', null]);
    const [tool, ...more] = named(spans, 'execute_tool run_shell');
    expect(more).toEqual([]);
    expect(tool).toMatchObject({
      startMs: 1050,
      events: [{ name: 'errand.step_repeated', attributes: { 'errand.repeat.reason': 'crash' } }],
    });
  });

  it('names the kind of each error', () => {
    const failed: TaskEvent = {
      type: 'model_failed',
      step: 1,
      attempt: 1,
      reason: 'canary',
      kind: 'overloaded',
      retryAt: 0,
      usage,
    };
    const error: TaskEvent = { type: 'error', errorType: 'model_overloaded', text: 'canary' };
    const spans = spansOf(
      logOf(user(), running, asks(), replies('c1'), ends('c1', { status: 'error' }), asks(2), failed, error, { type: 'failed' }),
    );
    expect(spans.map((span) => [span.error, span.attributes['error.type']])).toEqual([
      [null, undefined],
      ['tool_error', 'tool_error'],
      ['overloaded', 'overloaded'],
      ['model_overloaded', 'model_overloaded'],
    ]);
    expect(JSON.stringify(spans)).not.toContain('canary');
  });

  it('ends what runs when its user stops it, and has no span of a call that never ran', () => {
    const begun: TaskEvent = { type: 'tool_started', callId: 'c1', tool: 'run_shell', attempt: 1 };
    const spans = spansOf(
      logOf(user(), running, asks(), replies('c1', 'c2'), begun, { type: 'user_stopped' }, { type: 'stopped', by: 'user' }),
    );
    expect(spans.map(({ name, error }) => [name, error])).toEqual([
      ['chat claude-x', null],
      ['execute_tool run_shell', 'cancelled'],
      ['invoke_agent errand', null],
    ]);
  });

  it('has one span of a call that waited for approval, in the turn in which it ran', () => {
    const action = { kind: 'connectorAction', schema: {} };
    const waits: TaskEvent = { type: 'waiting', callId: 'c1', question: '', action };
    const decided: TaskEvent = { type: 'decided', callId: 'c1', isAccepted: true, isLasting: false };
    const spans = spansOf(
      logOf(user(), running, asks(), replies('c1'), waits, decided, running, ends('c1', { startedAtMs: 1065 }), stopped),
    );
    expect(named(spans, 'execute_tool run_shell')).toMatchObject([
      { startMs: 1065, endMs: 1070, spanId: spanIdOf(taskId, toolSpan('c1')), parentSpanId: spanIdOf(taskId, 'turn 7') },
    ]);
  });

  it('does not show what a model wrote in place of the name of a tool', () => {
    const wrong: TaskEvent = {
      ...replies(),
      parts: [{ type: 'call', id: 'c1', tool: 'a canary, no tool', input: {} }],
    } as TaskEvent;
    const spans = spansOf(
      logOf(user(), running, asks(), wrong, ends('c1', { tool: 'a canary, no tool', status: 'error' }), stopped),
    );
    expect(spans.map(({ name }) => name)).toContain('execute_tool _OTHER');
    expect(JSON.stringify(spans)).not.toContain('canary');
  });

  it('ends a question to the user when it is asked', () => {
    const spans = spansOf(
      logOf(user(), running, asks(), replies('c1'), { type: 'waiting', callId: 'c1', question: '' }, user(), running),
    );
    expect(named(spans, 'execute_tool run_shell')).toMatchObject([{ startMs: 1030, endMs: 1040, error: null }]);
  });
});

describe('the context that senders give', () => {
  const [mine, other] = ['4bf92f3577b34da6a3ce929d0e0e4736', '0af7651916cd43dd8448eb211c80319c'];
  const parent = (traceId: string, spanId: string) => `00-${traceId}-${spanId}-01`;
  const traced = { ...task, traceparent: parent(mine, '00f067aa0ba902b7') };
  const turns = (second: string) =>
    named(
      spansOf(logOf(user(traced.traceparent), running, stopped, user(second), running, stopped), { task: traced }),
      'invoke_agent errand',
    );

  it('puts a task below the span of its creator, and a turn below that of its message', () => {
    expect(turns(parent(mine, 'b7ad6b7169203331'))).toMatchObject([
      { traceId: mine, parentSpanId: '00f067aa0ba902b7', links: [] },
      { traceId: mine, parentSpanId: 'b7ad6b7169203331', links: [] },
    ]);
  });

  it('of another trace is a link: a task has one trace', () => {
    expect(turns(parent(other, 'b7ad6b7169203331'))[1]).toMatchObject({
      traceId: mine,
      parentSpanId: root,
      links: [{ traceId: other, spanId: 'b7ad6b7169203331' }],
    });
  });
});
