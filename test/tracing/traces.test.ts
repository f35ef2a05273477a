import { expect, it } from 'vitest';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { McpServerUnderTest } from '../support/connectors/mcp-server-under-test.ts';
import { startModelServer } from '../support/models/model-server.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, isEnd, type Json, ServiceClient } from '../support/service/service-client.ts';
import { readAttributes, readTraceRequest, TraceReceiver } from '../support/tracing/trace-receiver.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

function exportTo(receiver: TraceReceiver): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver' };
}

/** Calls an operation with further headers. */
async function callWith(service: LocalService, operation: string, input: Json, headers: Record<string, string>): Promise<Json> {
  const response = await fetch(`${service.url}/v2/${operation}`, {
    method: 'POST',
    headers: { 'x-service-api-key': service.apiKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  });
  return (await response.json()) as Json;
}

const turns = (receiver: TraceReceiver, taskId: string, count = 1) =>
  eventually('the trace is exported', () => {
    const found = receiver.turnsOf(taskId);
    return Promise.resolve(found.length >= count ? found : null);
  });

it('a task is a trace below the span of its creator, without what was written in it', async () => {
  await using receiver = await TraceReceiver.start();
  const service = await LocalService.start({
    env: {
      ...exportTo(receiver),
      OTEL_SERVICE_NAME: 'errand-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
  const client = new ServiceClient(service);
  const sent = await callWith(
    service,
    'task.create',
    { message: { content: 'write canary.md with canary\nrun echo canary' } },
    { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'vendor=canary', baggage: 'user=canary' },
  );
  const taskId = String(sent.task_id);
  await client.follow(taskId, isEnd);
  const [turn] = await turns(receiver, taskId);
  expect(turn).toMatchObject({ traceId, parentSpanId: spanId, name: 'invoke_agent errand' });
  const spans = receiver.spansOf(taskId);
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['chat offline-1', 'execute_tool write_file', 'execute_tool run_shell', 'invoke_agent errand']),
  );
  const [request] = receiver.requests;
  expect(request).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer of-the-receiver' } });
  const [{ resource }] = (JSON.parse(request?.body ?? '') as { resourceSpans: [{ resource: { attributes: [] } }] }).resourceSpans;
  expect(readAttributes(resource)).toMatchObject({ 'service.name': 'errand-test', 'deployment.environment.name': 'test' });
  for (const { body } of receiver.requests) expect(body).not.toContain('canary');
  await service.stop();
});

it('a follow-up is in the trace of its task, whatever trace its sender is in', async () => {
  await using receiver = await TraceReceiver.start();
  const service = await LocalService.start({ env: exportTo(receiver) });
  const client = new ServiceClient(service);
  const taskId = await client.createTask('say one');
  await client.follow(taskId, isEnd);
  await callWith(
    service,
    'task.sendMessage',
    { task_id: taskId, message: { content: 'say two' } },
    { traceparent: `00-${traceId}-${spanId}-00` },
  );
  const [first, second] = await turns(receiver, taskId, 2);
  expect(second).toMatchObject({ traceId: first?.traceId, parentSpanId: first?.spanId, links: [{ traceId, spanId }] });
  expect(first?.traceId).not.toBe(traceId);
  await service.stop();
});

it.each([
  ['a receiver that is away', (port: TraceReceiver) => (port.behaviour = (response) => void response.destroy())],
  ['one that is overloaded', (port: TraceReceiver) => (port.behaviour = 503)],
  ['one that wants another key', (port: TraceReceiver) => (port.behaviour = 401)],
])(
  '%s delays no task, and gets the traces later, also after a restart',
  async (_, break_) => {
    await using receiver = await TraceReceiver.start();
    break_(receiver);
    const service = await LocalService.start({ env: exportTo(receiver) });
    const client = new ServiceClient(service);
    const taskId = await client.createTask('say hello');
    await client.follow(taskId, isEnd);
    await eventually('an attempt was made', () => Promise.resolve(receiver.requests.length > 0 ? true : null));
    expect(receiver.turnsOf(taskId)).toEqual([]);
    await service.restart();
    receiver.behaviour = 200;
    await turns(receiver, taskId);
    await service.stop();
  },
  240_000,
);

it('what a receiver will never take is not sent again, and said in the log', async () => {
  await using receiver = await TraceReceiver.start();
  receiver.behaviour = 400;
  const service = await LocalService.start({ env: exportTo(receiver) });
  const client = new ServiceClient(service);
  const taskId = await client.createTask('say hello');
  await client.follow(taskId, isEnd);
  const entry = await service.waitForLog(({ msg }) => msg === 'the receiver of traces rejected spans');
  expect(entry).toMatchObject({ task_id: taskId, reason: 'it answered with status 400' });
  const before = receiver.requests.length;
  receiver.behaviour = 200;
  const next = await client.createTask('say more');
  await client.follow(next, isEnd);
  await turns(receiver, next);
  expect(receiver.requests).toHaveLength(before + 1);
  await service.stop();
});

it.each([
  ['a traceparent of another form', { traceparent: 'nonsense' }],
  ['one of no trace', { traceparent: `00-${'0'.repeat(32)}-${spanId}-01` }],
  ['one too long', { traceparent: `cc-${traceId}-${spanId}-01-${'x'.repeat(4000)}` }],
  ['much baggage', { baggage: 'k=v,'.repeat(1500), tracestate: 'a=b,'.repeat(1000) }],
])('%s is ignored: the task has a trace of its own', async (_, headers) => {
  await using receiver = await TraceReceiver.start();
  const service = await LocalService.start({ env: exportTo(receiver) });
  const sent = await callWith(service, 'task.create', { message: { content: 'say hello' } }, headers);
  const [turn] = await turns(receiver, String(sent.task_id));
  expect(turn?.traceId).not.toBe(traceId);
  expect(turn?.parentSpanId).toBeUndefined();
  await service.stop();
});

it('errand task trace prints and sends the trace of an old task, the same each time', async () => {
  await using receiver = await TraceReceiver.start();
  const env: Record<string, string> = {};
  const cli = new CliUnderTest(env);
  const created = await cli.runJson(['run', 'write hello.md with canary']);
  const taskId = String(created.task_id);
  const read = async (...more: string[]) =>
    readTraceRequest(JSON.parse((await cli.run(['task', 'trace', taskId, ...more])).stdout));
  const spans = await read();
  expect(spans.map(({ name }) => name)).toContain('invoke_agent errand');
  expect(await read()).toEqual(spans);
  expect(JSON.stringify(spans)).not.toContain('canary');
  expect(JSON.stringify(await read('--content'))).toContain('canary');
  const sent = await cli.run(['task', 'trace', taskId, '--send'], exportTo(receiver));
  expect([sent.code, sent.stderr]).toEqual([0, `sent ${spans.length} spans`]);
  expect(receiver.spans).toEqual(spans);
  expect(await cli.run(['task', 'trace', taskId, '--send'])).toMatchObject({ code: 64 });
  receiver.behaviour = 503;
  expect(await cli.run(['task', 'trace', taskId, '--send'], exportTo(receiver))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT: it answered with status 503') as string,
  });
});

it.each([true, false])('webhooks and connectors get the place in the trace (exported: %s)', async (isExported) => {
  await using receiver = await TraceReceiver.start();
  await using garden = await McpServerUnderTest.start();
  const hooks = await Receiver.start();
  const model = await startModelServer();
  await model.script([{ steps: [{ calls: [{ tool: 'mcp__garden__add', input: { a: 1, b: 2 } }] }, { text: 'Done.' }] }]);
  const service = await LocalService.start({
    env: {
      ...(isExported && exportTo(receiver)),
      ERRAND_MODEL: 'compatible/mock',
      ERRAND_MODEL_BASE_URL: model.openaiUrl,
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_WEBHOOK_ALLOW_HTTP: 'true',
    },
  });
  const client = new ServiceClient(service);
  await client.ask('webhook.create', { url: hooks.url('/hook') });
  const { connector } = (await client.ask('connector.create', { name: 'garden', url: garden.url })) as {
    connector: { id: string };
  };
  const sent = await callWith(
    service,
    'task.create',
    { message: { content: 'Add them.', connectors: [connector.id] } },
    { traceparent: `00-${traceId}-${spanId}-01` },
  );
  const taskId = String(sent.task_id);
  await client.follow(taskId, isEnd);
  await eventually('the webhook is told', () => Promise.resolve(hooks.eventsAt('/hook').length >= 2 ? true : null));
  const [hook] = hooks.eventsAt('/hook').map(({ headers }) => headers.traceparent);
  const called = garden.controls.calls.find(({ tool }) => tool === 'add')?.traceparent;
  if (isExported) {
    const [turn] = await turns(receiver, taskId);
    const tool = receiver.spansOf(taskId).find(({ name }) => name === 'execute_tool mcp__garden__add');
    expect([hook, called]).toEqual([`00-${traceId}-${turn?.spanId}-01`, `00-${traceId}-${tool?.spanId}-01`]);
  } else expect([hook, called]).toEqual([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`]);
  await service.stop();
  await Promise.all([hooks.stop(), model.stop()]);
});

it('subtasks are in the trace of their task, below the call that made them', async () => {
  await using receiver = await TraceReceiver.start();
  const model = await startModelServer();
  const subtask = { tool: 'create_subtask', input: { title: 'Part', instructions: 'the part' } };
  await model.script([
    { match: 'the part', steps: [{ text: 'The part is done.' }] },
    { match: 'the whole', steps: [{ calls: [subtask] }, { text: 'Done.' }] },
  ]);
  const env = { ...exportTo(receiver), ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl };
  const service = await LocalService.start({ env });
  const client = new ServiceClient(service);
  const taskId = await client.createTask('the whole');
  await client.follow(taskId, isEnd);
  const [turn] = await turns(receiver, taskId);
  const call = receiver.spansOf(taskId).find(({ name }) => name === 'execute_tool create_subtask');
  const below = await eventually('the subtask is exported', () =>
    Promise.resolve(
      receiver.spans.find(({ name, parentSpanId }) => name.startsWith('invoke_agent') && parentSpanId === call?.spanId) ?? null,
    ),
  );
  expect([call?.traceId, below.traceId]).toEqual([turn?.traceId, turn?.traceId]);
  expect(readAttributes(below)).toMatchObject({ 'errand.task.type': 'agent_subtask' });
  expect(readAttributes(below)['gen_ai.conversation.id']).not.toBe(taskId);
  await service.stop();
  await model.stop();
});
