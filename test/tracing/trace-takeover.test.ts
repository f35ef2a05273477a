import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { Deployment, type Shape } from '../support/service/deployment.ts';
import { eventually, isEnd } from '../support/service/service-client.ts';
import { type ReceivedSpan, TraceReceiver } from '../support/tracing/trace-receiver.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());

/** A model call whose worker was killed, or held up for too long. */
const interrupted = 'chat mock interrupted';

/** The spans by ID. One that was exported twice has to be the same both times. */
function mergeSpans(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const byId = new Map<string, ReceivedSpan>();
  for (const span of spans) {
    expect(byId.get(span.spanId) ?? span).toEqual(span);
    byId.set(span.spanId, span);
  }
  return [...byId.values()];
}

describe.each<Shape>(['sqlite', 'postgres', 'api and two workers'])('%s', (shape) => {
  it('a task whose workers are killed, while they work and while they export, is one trace with each span once', async () => {
    await using receiver = await TraceReceiver.start();
    receiver.behaviour = 503;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ERRAND_LEASE_TTL_MS: '1000' };
    await using deployment = await Deployment.start(shape, { model, env });
    const { client, processes } = deployment;
    const workers = shape === 'api and two workers' ? deployment.workers : processes;
    await model.reset();
    const calls = [{ tool: 'write_file', input: { path: 'a.txt', content: 'a' } }];
    const slow = { text: Array.from({ length: 400 }, () => 'slow '), frameDelayMs: 50 };
    await model.script([{ order: 'call', repeatsLast: true, steps: [{ calls }, slow, { text: 'Taken over.' }] }]);
    const taskId = await client.createTask('Do it.');
    await model.waitFor({ state: 'started', count: 2 });
    for (const worker of workers) await worker.kill();
    for (const worker of workers) await worker.restart();
    await client.follow(taskId, isEnd);
    await eventually('an export was tried', () => Promise.resolve(receiver.requests.length > 0 ? true : null));
    for (const worker of workers) await worker.kill();
    receiver.behaviour = 200;
    for (const worker of workers) await worker.restart();
    await eventually('the trace is exported', () => Promise.resolve(receiver.turnsOf(taskId).length > 0 ? true : null));
    const spans = mergeSpans(receiver.spansOf(taskId));
    const [turn, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect([turn?.name, others]).toEqual(['invoke_agent errand', []]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.every(({ spanId, parentSpanId }) => spanId === turn?.spanId || parentSpanId === turn?.spanId)).toBe(true);
    const names = spans.map(({ name, status }) => `${name} ${status.message ?? 'ok'}`);
    // A worker that was held up for longer than its lease lost the task once more.
    expect(names.filter((name, index) => name !== interrupted || names.indexOf(name) === index).toSorted()).toEqual([
      interrupted,
      'chat mock ok',
      'chat mock ok',
      'execute_tool write_file ok',
      'invoke_agent errand ok',
    ]);
  }, 240_000);
});
