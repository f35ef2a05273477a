import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Model, ModelFault, type ModelReply, type ModelRequest } from '../../src/models/model.ts';
import { openModels } from '../../src/models/model-registry.ts';
import { costOf } from '../../src/rules/credits/pricing.ts';
import type { ModelTuning } from '../../src/rules/instance/model-tuning.ts';
import type { TranscriptEntry } from '../../src/rules/context/transcript.ts';
import { type ModelServer, type Step, useModelServer } from '../support/models/model-server.ts';

let server: ModelServer;
useModelServer((started) => {
  server = started;
});

const apiKey = 'key-canary-4711';
const names = ['openai/gpt-5', 'anthropic/claude-sonnet-4-5', 'google/gemini-2.5-pro', 'compatible/some-model'];

async function open(name: string, tuning: ModelTuning = {}): Promise<Model> {
  const baseUrl = name.startsWith('google/') ? server.googleUrl : server.openaiUrl;
  return (await openModels({ model: name, baseUrl, apiKey, tuning: { 'service-1.6': tuning } }))['service-1.6'];
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** Frozen as the toolbox hands it out. */
const readTool = freeze({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false },
});

function request(extra: Partial<ModelRequest> = {}): ModelRequest {
  const transcript: TranscriptEntry[] = [{ role: 'user', text: 'hello' }];
  return { system: 'You are a test.', transcript, tools: [readTool], ...extra };
}

interface TranscriptionResult {
  reply: ModelReply;
  /** Pieces of text as they came. */
  pieces: string[];
}

async function call(
  model: Model,
  asked: ModelRequest = request(),
  signal = new AbortController().signal,
): Promise<TranscriptionResult> {
  const pieces: string[] = [];
  const reply = await model.call(asked, { signal, onText: (text) => void pieces.push(text) });
  return { reply, pieces };
}

async function play(model: Model, ...steps: Step[]): Promise<TranscriptionResult> {
  await server.script([{ order: 'call', steps }]);
  return call(model);
}

async function fail(model: Model, step: Step): Promise<ModelFault> {
  await server.script([{ order: 'call', repeatsLast: true, steps: [step] }]);
  const error = await call(model).then(
    (received) => received,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelFault);
  return error as ModelFault;
}

async function lastBody(): Promise<string> {
  return JSON.stringify((await server.calls()).at(-1)?.body);
}

describe.each(names)('%s', (name) => {
  it('streams text as it arrives and returns the whole with its usage', async () => {
    const usage = { input: 120, output: 7, cached: 100 };
    const { reply, pieces } = await play(await open(name), { text: ['Hel', 'lo ', 'wörld 🌍'], usage, frameDelayMs: 1 });
    expect(pieces).toEqual(['Hel', 'lo ', 'wörld 🌍']);
    expect(reply.parts).toMatchObject([{ type: 'text', text: 'Hello wörld 🌍' }]);
    expect(reply.usage).toEqual(usage);
  });

  it('sends prompt and tools, and completes a round of tool calls', async () => {
    const model = await open(name);
    const calls = [
      { tool: 'read_file', input: { path: 'a.txt' }, id: 'call_a' },
      { tool: 'read_file', input: { path: 'b.txt' }, id: 'call_b' },
    ];
    const { reply } = await play(model, { reasoning: 'I should look.', text: 'Looking.', calls }, { text: 'Both read.' });
    const asked = reply.parts.flatMap((part) =>
      part.type === 'call' ? [{ id: part.id, tool: part.tool, input: part.input }] : [],
    );
    expect(asked).toEqual(calls);
    const results = calls.map(({ id, tool }) => ({ callId: id, tool, output: `content of ${id}`, isError: id === 'call_b' }));
    const transcript: TranscriptEntry[] = [
      ...request().transcript,
      { role: 'assistant', parts: reply.parts },
      { role: 'tool', results },
    ];
    const next = await call(model, request({ transcript }));
    expect(next.reply.parts).toMatchObject([{ type: 'text', text: 'Both read.' }]);
    const body = await lastBody();
    for (const text of ['You are a test.', 'Reads a file.', 'Looking.', 'b.txt', 'content of call_a', 'content of call_b']) {
      expect(body).toContain(text);
    }
  });

  it('is shown the images of results, and they are omitted if there are none', async () => {
    const model = await open(name);
    const picture = Buffer.from('the pixels of a picture');
    const results = [
      {
        callId: 'call_a',
        tool: 'read_file',
        output: 'a chart',
        isError: false,
        pictures: [{ blobId: 'b1', bytes: 9, name: 'a' }],
      },
      { callId: 'call_b', tool: 'read_file', output: 'no file', isError: true },
    ];
    const calls = results.map(({ callId: id, tool }) => ({ type: 'call' as const, id, tool, input: {} }));
    const transcript: TranscriptEntry[] = [
      ...request().transcript,
      { role: 'assistant', parts: calls },
      { role: 'tool', results },
    ];
    const images = new Map([['b1', { mediaType: 'image/png', bytes: picture }]]);
    await call(model, request({ transcript, images }));
    const shown = await lastBody();
    for (const text of [picture.toString('base64'), 'image/png', 'a chart', 'no file']) expect(shown).toContain(text);
    await call(model, request({ transcript }));
    const blind = await lastBody();
    expect(blind).toContain('a chart');
    expect(blind).not.toContain(picture.toString('base64'));
    expect(blind).not.toContain('image');
  });

  it("gives each call a unique ID, whatever the server's numbering", async () => {
    const model = await open(name);
    const { reply } = await play(model, { calls: [{ tool: 'read_file', input: {}, id: 'call_0' }] });
    const results = [{ callId: 'call_0', tool: 'read_file', output: 'ok', isError: false }];
    const transcript: TranscriptEntry[] = [
      ...request().transcript,
      { role: 'assistant', parts: reply.parts },
      { role: 'tool', results },
    ];
    await server.script([{ order: 'call', steps: [{ calls: [{ tool: 'read_file', input: {}, id: 'call_0' }] }] }]);
    const again = await call(model, request({ transcript }));
    const ids = [...reply.parts, ...again.reply.parts].flatMap((part) => (part.type === 'call' ? [part.id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it('waits as long as an overloaded provider asks for', async () => {
    const fault = await fail(await open(name), { status: 429, headers: { 'retry-after': '7' } });
    expect([fault.kind, fault.retryAfterMs]).toEqual(['overloaded', 7000]);
  });

  it.each([400, 401, 403, 404])('reports a refusal by %i as final, without the key', async (status) => {
    const fault = await fail(await open(name), {
      status,
      body: JSON.stringify({ error: { message: `no: ${apiKey}` }, message: apiKey }),
    });
    expect(fault.kind).toBe('refused');
    expect(fault.message).toContain(`${name}: the request was refused (${status})`);
    expect(inspect(fault, { depth: null })).not.toContain(apiKey);
  });

  it.each([500, 502, 503])('reports %i as an outage', async (status) => {
    expect((await fail(await open(name), { status })).kind).toBe('unavailable');
  });

  it('makes one call only, whatever its outcome', async () => {
    await fail(await open(name), { status: 500 });
    expect(await server.calls()).toHaveLength(1);
  });

  it('does not accept a stream that is cut off as a reply', async () => {
    const model = await open(name);
    expect((await fail(model, { text: ['a', 'b', 'c'], end: 'cut', endAfterFrames: 3 })).kind).toBe('unavailable');
    expect((await fail(model, { text: ['a', 'b', 'c'], end: 'missing', endAfterFrames: 3 })).kind).toBe('unavailable');
  });

  it('does not accept an invalid reply', async () => {
    const model = await open(name);
    const junk: Step[] = [
      { body: '' },
      { body: '<html>Welcome to the proxy</html>' },
      { body: '{"error":{"message":"not a stream"}}' },
      { text: 'a', end: 'garbage' },
      { end: 'garbage' },
      { body: 'data: {"unexpected":true}\n\ndata: [DONE]\n\n' },
    ];
    for (const step of junk) expect((await fail(model, step)).kind, JSON.stringify(step)).toBe('malformed');
  });

  it('stops reading a reply of 100 MB', async () => {
    const fault = await fail(await open(name), { textBytes: 100_000_000 });
    expect(fault.kind).toBe('malformed');
    const [record] = await server.waitFor({ state: 'closed' });
    expect(record?.outcome).toBe('aborted');
  });

  it('stops reading one line of 100 MB', async () => {
    expect((await fail(await open(name), { body: `data: ${'x'.repeat(100_000_000)}` })).kind).toBe('malformed');
  });

  it('closes the socket when the task is stopped in mid-stream, and rejects with the reason of the stop', async () => {
    const model = await open(name);
    await server.script([{ steps: [{ text: Array.from({ length: 1_000 }, () => 'token '), frameDelayMs: 20 }] }]);
    const stop = new AbortController();
    const reason = new Error('stopped by the user');
    const { promise: flowing, resolve: resolveFlowing } = Promise.withResolvers<void>();
    const reply = model.call(request(), { signal: stop.signal, onText: () => resolveFlowing() });
    await flowing;
    stop.abort(reason);
    await expect(reply).rejects.toBe(reason);
    const [record] = await server.waitFor({ state: 'closed' });
    expect(record?.outcome).toBe('aborted');
  });

  it('closes the socket when the task is stopped before the first byte', async () => {
    const model = await open(name);
    await server.script([{ steps: [{ delayMs: 600_000 }] }]);
    const stop = new AbortController();
    const reply = model.call(request(), { signal: stop.signal, onText: () => undefined });
    const outcome = expect(reply).rejects.toBe('stop');
    await server.waitFor({ state: 'started' });
    stop.abort('stop');
    await outcome;
    const [record] = await server.waitFor({ state: 'closed' });
    expect(record?.outcome).toBe('aborted');
  });

  it('requests a structured reply by schema and streams its text', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
    await server.script([{ steps: [{ text: '{"n":4}' }] }]);
    const { reply } = await call(await open(name), request({ tools: [], outputSchema }));
    expect(reply.parts).toMatchObject([{ type: 'text', text: '{"n":4}' }]);
    expect(await lastBody()).toContain('"integer"');
  });

  it('puts the schema into the prompt for a provider that rejects it, at once and from then on', async () => {
    const model = await open(name);
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
    await server.script([{ order: 'call', steps: [{ status: 400 }, { text: '{"n":4}' }, { text: '{"n":5}' }] }]);
    const first = await call(model, request({ tools: [], outputSchema }));
    const second = await call(model, request({ tools: [], outputSchema }));
    expect([first, second].map(({ reply }) => reply.parts)).toMatchObject([[{ text: '{"n":4}' }], [{ text: '{"n":5}' }]]);
    expect(await server.calls()).toHaveLength(3);
    expect(await lastBody()).toContain('It must conform to this JSON Schema');
  });

  it('accepts that a model has nothing to say', async () => {
    expect((await play(await open(name), { finish: 'stop' })).reply.parts).toEqual([]);
  });

  it('returns the part of a reply that reached its limit', async () => {
    expect((await play(await open(name), { text: 'half', finish: 'length' })).reply.parts).toMatchObject([{ text: 'half' }]);
  });

  it('reports that a reply reached its limit, and no other', async () => {
    const model = await open(name);
    expect((await play(model, { text: 'half', finish: 'length' })).reply.isCut).toBe(true);
    expect((await play(model, { text: 'whole' })).reply.isCut).toBeUndefined();
  });

  it('keeps a call that was complete when the reply reached its limit', async () => {
    const calls = [{ tool: 'read_file', input: { path: 'a.txt' }, id: 'call_a' }];
    const { reply } = await play(await open(name), { calls, finish: 'length' });
    expect(reply.parts).toMatchObject([{ type: 'call', input: { path: 'a.txt' } }]);
    expect(reply.parts[0]).not.toHaveProperty('isCut');
  });

  it('leaves out reasoning that reached the limit before it led to anything', async () => {
    const { reply } = await play(await open(name), { reasoning: 'thinking at length', finish: 'length' });
    expect(reply).toMatchObject({ parts: [], isCut: true });
  });

  it('sends a transcript with every kind of model error', async () => {
    const parts = [
      { type: 'text', text: '' },
      { type: 'call', id: 'call_1', tool: 'no such tool!', input: '{"broken": ' },
      { type: 'call', id: 'call_2', tool: '', input: [1, 2] },
    ] as const;
    const results = parts.flatMap((part) =>
      part.type === 'call' ? [{ callId: part.id, tool: part.tool, output: 'wrong', isError: true }] : [],
    );
    const transcript: TranscriptEntry[] = [
      { role: 'user', text: '' },
      { role: 'user', text: 'go' },
      { role: 'assistant', parts },
      { role: 'tool', results },
      { role: 'assistant', parts: [{ type: 'text', text: '' }] },
    ];
    await call(await open(name), request({ transcript }));
    const body = await lastBody();
    expect(body).toContain('no_such_tool_');
    expect(body).toContain('invalid_input');
    expect(body).not.toContain('"text":""');
  });
});

describe.each(names.filter((name) => !name.startsWith('google/')))('%s', (name) => {
  it('leaves invalid call input as text, for the tool to reject', async () => {
    const { reply } = await play(await open(name), { calls: [{ tool: 'read_file', input: '{"path": "a' }] });
    expect(reply.parts).toMatchObject([{ type: 'call', input: '{"path": "a' }]);
  });
});

describe.each(names.filter((name) => !name.startsWith('google/')))('%s', (name) => {
  it.each(['{"path": "a', ''])('marks a call that was cut within its input %j', async (input) => {
    const calls = [
      { tool: 'read_file', input: { path: 'whole' } },
      { tool: 'read_file', input },
    ];
    const { reply } = await play(await open(name), { calls, finish: 'length' });
    expect(reply.parts).toMatchObject([{ input: { path: 'whole' } }, { tool: 'read_file', input, isCut: true }]);
    expect(reply.parts[0]).not.toHaveProperty('isCut');
  });
});

describe('provider-specific behavior', () => {
  async function replay(name: string): Promise<string> {
    const model = await open(name);
    const { reply } = await play(model, { reasoning: 'thought', calls: [{ tool: 'read_file', input: {}, id: 'call_1' }] });
    const results = [{ callId: 'call_1', tool: 'read_file', output: 'ok', isError: false }];
    // As the log keeps it: through JSON.
    const parts = JSON.parse(JSON.stringify(reply.parts)) as ModelReply['parts'];
    await call(
      model,
      request({ transcript: [...request().transcript, { role: 'assistant', parts }, { role: 'tool', results }] }),
    );
    return lastBody();
  }

  it('OpenAI gets its encrypted reasoning back and stores nothing', async () => {
    const body = await replay('openai/gpt-5');
    expect(body).toContain('"encrypted_content":"sealed:thought"');
    expect(body).toContain('"store":false');
    expect(body).not.toContain('item_reference');
  });

  it('Anthropic gets its signed thinking back', async () => {
    expect(await replay('anthropic/claude-sonnet-4-5')).toContain('"thinking":"thought","signature":"sealed:thought"');
  });

  it('Google gets the signature of a call back', async () => {
    expect(await replay('google/gemini-2.5-pro')).toContain('"thoughtSignature":"sealed:read_file"');
  });

  it('a compatible server gets the reasoning back', async () => {
    expect(await replay('compatible/some-model')).toContain('"reasoning_content":"thought"');
  });

  it.each([
    ['openai/gpt-5', 'sealed:thought'],
    ['anthropic/claude-sonnet-4-5', 'sealed:thought'],
    ['google/gemini-2.5-pro', 'sealed:read_file'],
  ])('%s does not get what another model has thought and sealed', async (name, sealed) => {
    const model = await open(name);
    const { reply } = await play(model, { reasoning: 'thought', calls: [{ tool: 'read_file', input: {}, id: 'call_1' }] });
    const results = [{ callId: 'call_1', tool: 'read_file', output: 'ok', isError: false }];
    const from = (author: string) => [
      ...request().transcript,
      { role: 'assistant', parts: reply.parts, model: author } as const,
      { role: 'tool', results } as const,
    ];
    await call(model, request({ transcript: from(name) }));
    expect(await lastBody()).toContain(sealed);
    await call(model, request({ transcript: from('compatible/other') }));
    expect(await lastBody()).not.toContain(sealed);
    expect(await lastBody()).toContain('read_file');
  });

  it('names the request by which the provider finds a failed call', async () => {
    for (const name of names) {
      const header = name.startsWith('anthropic/') ? 'request-id' : 'x-request-id';
      expect((await fail(await open(name), { status: 503, headers: { [header]: 'req-42' } })).requestId, name).toBe('req-42');
    }
  });

  it('Anthropic is asked to cache system, tools, and conversation, with a limit on the reply', async () => {
    await call(await open('anthropic/claude-sonnet-4-5'), request({ tools: [readTool, { ...readTool, name: 'other' }] }));
    const body = (await server.calls()).at(-1)?.body as Record<'system' | 'tools' | 'messages', Record<string, unknown>[]>;
    const marker = { type: 'ephemeral' };
    expect(body.system.at(-1)?.['cache_control']).toEqual(marker);
    expect(body.tools.map((tool) => tool['cache_control'])).toEqual([undefined, marker]);
    expect(body.messages.at(-1)?.['content']).toMatchObject([{ text: 'hello', cache_control: marker }]);
    expect(body).toMatchObject({ max_tokens: 32_000 });
  });

  it('Anthropic is asked in a later call to look up the end of the previous one, and its cache writes are counted', async () => {
    const model = await open('anthropic/claude-sonnet-4-5');
    const usage = { input: 1000, output: 10, cached: 700, written: 200 };
    const { reply } = await play(model, { calls: [{ tool: 'read_file', input: {}, id: 'call_a' }], usage });
    expect(reply.usage).toEqual(usage);
    expect(costOf(reply.usage, model.price)).toBe(100 * 300 + 700 * 30 + 200 * 375 + 10 * 1500);
    const results = [{ callId: 'call_a', tool: 'read_file', output: 'content', isError: false }];
    const transcript: TranscriptEntry[] = [
      ...request().transcript,
      { role: 'assistant', parts: reply.parts },
      { role: 'tool', results },
    ];
    await call(model, request({ transcript, reminder: 'The plan.' }));
    const body = (await server.calls()).at(-1)?.body as Record<'system' | 'tools' | 'messages', unknown>;
    expect(body.messages).toMatchObject([
      { content: [{ text: 'hello', cache_control: { type: 'ephemeral' } }] },
      { content: [{ type: 'tool_use' }] },
      { content: [{ type: 'tool_result', cache_control: { type: 'ephemeral' } }, { text: 'The plan.' }] },
    ]);
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
  });

  it.each([
    ['openai/gpt-5', '"reasoning":{"effort":"low"'],
    ['anthropic/claude-sonnet-5', '"output_config":{"effort":"low"}'],
    ['anthropic/claude-sonnet-4-5', '"thinking":{"type":"enabled","budget_tokens":'],
    ['google/gemini-2.5-pro', '"thinkingConfig":{"thinkingBudget":'],
    ['google/gemini-3-pro-preview', '"thinkingConfig":{"thinkingLevel":"low"'],
    ['compatible/some-model', '"reasoning_effort":"low"'],
  ])('%s is told in its own way how much to think, and nothing by default', async (name, sent) => {
    await call(await open(name));
    expect(await lastBody()).not.toMatch(/effort|thinking|"reasoning":/i);
    await call(await open(name, { effort: 'low' }));
    expect(await lastBody()).toContain(sent);
  });

  it('OpenAI, whose default is strict, is told that tools are not strict, and no other provider is', async () => {
    for (const name of names) {
      await call(await open(name));
      expect(/"strict":(false)/.test(await lastBody()), name).toBe(name.startsWith('openai/'));
    }
  });

  it('an exhausted OpenAI account is a refusal, because waiting does not help', async () => {
    const body = JSON.stringify({
      error: { message: 'You exceeded your quota', type: 'insufficient_quota', code: 'insufficient_quota' },
    });
    expect((await fail(await open('openai/gpt-5'), { status: 429, body })).kind).toBe('refused');
  });

  it('Anthropic is overloaded with 529, and also in mid-stream', async () => {
    const model = await open('anthropic/claude-sonnet-4-5');
    expect((await fail(model, { status: 529 })).kind).toBe('overloaded');
    const body = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    expect((await fail(model, { body })).kind).toBe('overloaded');
  });

  it('a server that reports no usage is billed by an estimate', async () => {
    const chunk = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
    const { reply } = await play(await open('compatible/some-model'), {
      body: `${chunk({ content: 'x'.repeat(400) }, null)}${chunk({}, 'stop')}`,
    });
    expect(reply.usage.output).toBe(100);
    expect(reply.usage.input).toBeGreaterThan(0);
  });
});
