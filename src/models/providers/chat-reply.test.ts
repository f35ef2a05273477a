import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelReply } from '../model.ts';
import { ChatReply } from './chat-reply.ts';
import { toModelFault } from './provider-failure.ts';
import { ReplyBuilder } from './reply-builder.ts';

const request = { system: '', transcript: [], tools: [] };
const options = { name: 'compatible', baseURL: 'http://127.0.0.1:1/v1', includeUsage: true };

/** What a task gets of a reply: texts as they came, and the whole or why there is none. */
interface Outcome {
  texts: string[];
  reply?: ModelReply;
  problem?: string;
}

/** The package invents IDs where a server has none. */
function nameCalls({ parts, ...reply }: ModelReply): ModelReply {
  return {
    ...reply,
    parts: parts.map((part) => (part.type === 'call' && part.id.length === 16 ? { ...part, id: 'made' } : part)),
  };
}

async function build(read: (add: (part: LanguageModelV4StreamPart) => void) => Promise<void>): Promise<Outcome> {
  const texts: string[] = [];
  const builder = new ReplyBuilder(request, { onText: (text) => void texts.push(text) });
  try {
    await read((part) => builder.add(part));
    return { texts, reply: nameCalls(builder.build()) };
  } catch (error) {
    const { kind, message } = toModelFault(error, 0);
    return { texts, problem: `${kind}: ${message}` };
  }
}

function readByPackage(chunks: readonly Uint8Array[]): Promise<Outcome> {
  const serve = (() => {
    const body = ReadableStream.from(chunks);
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  }) as unknown as typeof fetch;
  return build(async (add) => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }] }];
    const { stream } = await createOpenAICompatible({ ...options, fetch: serve })('m').doStream({ prompt });
    for await (const part of stream) add(part);
  });
}

function readHere(chunks: readonly Uint8Array[]): Promise<Outcome> {
  return build((add) => {
    const reply = new ChatReply(add);
    const parser = createParser({ onEvent: ({ data }) => reply.read(data) });
    const decoder = new TextDecoder();
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    reply.end();
    return Promise.resolve();
  });
}

const word = fc.string({ unit: 'grapheme', maxLength: 6 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const count = nullable(fc.nat());

const contentPart = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.oneof(word, fc.constant(1)) }),
  fc.record({
    type: fc.constant('thinking'),
    thinking: fc.array(fc.oneof(fc.record({ type: fc.constant('text'), text: word }), fc.constant(null))),
  }),
  fc.record({ type: word }),
);
const signature = fc.record({ google: nullable(fc.record({ thought_signature: nullable(word) })) });
const callDelta = fc.record(
  {
    index: nullable(fc.nat({ max: 2 })),
    id: fc.constantFrom(null, '', 'c1', 'c2'),
    function: fc.record(
      { name: fc.constantFrom('look', 'look', 'write', '', null), arguments: fc.constantFrom('{"a":', '1}', '{}', '', null) },
      { requiredKeys: [] },
    ),
    extra_content: nullable(signature),
  },
  { requiredKeys: ['function'] },
);
/** As most servers send calls: named first, and then their arguments in pieces. */
const orderly = fc
  .tuple(fc.nat({ max: 2 }), fc.constantFrom('look', 'write'), fc.array(fc.constantFrom('{"a"', ':', '1}', ' ')))
  .map(([index, name, pieces]) => [
    { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
const delta = fc.record(
  {
    role: fc.constantFrom('assistant', ''),
    content: nullable(fc.oneof(word, fc.array(contentPart, { maxLength: 2 }))),
    reasoning_content: nullable(word),
    reasoning: nullable(word),
    refusal: fc.constantFrom(null, false, '', 'No.'),
    tool_calls: nullable(fc.array(callDelta, { maxLength: 2 })),
  },
  { requiredKeys: [] },
);
const finishReason = fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter', 'function_call', 'odd');
const usage = fc.record({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: nullable(fc.record({ cached_tokens: count })),
  completion_tokens_details: nullable(fc.record({ reasoning_tokens: count })),
});
const frameOf = (choice: unknown, more = {}) => JSON.stringify({ id: 'x', created: 1, model: 'm', choices: [choice], ...more });
const frames = fc.oneof(
  { weight: 8, arbitrary: delta.map((each) => [frameOf({ delta: each })]) },
  { weight: 4, arbitrary: orderly.map((deltas) => deltas.map((each) => frameOf({ delta: each }))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(delta, finishReason, usage)
      .map(([each, reason, used]) => [frameOf({ delta: each, finish_reason: reason }, { usage: used })]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(['[DONE]'], ['{'], ['1'], ['{"choices":[{"delta":{"content":1}}]}'], ['{"choices":{}}']),
  },
  { weight: 1, arbitrary: fc.constant([JSON.stringify({ error: { message: 'Too much.', type: 'server_error' } })]) },
);
const written = fc.constantFrom(
  (data: string) => `data: ${data}\n\n`,
  (data: string) => `data:${data}\r\n\r\n`,
  (data: string) => `: still here\n\nid: 1\nevent: chunk\ndata: ${data}\n\n`,
);

/** A reply as bytes, cut anywhere, also within a character. */
const reply = fc
  .record({
    events: fc.array(fc.tuple(frames, written), { maxLength: 10 }),
    last: maybe(finishReason.map((reason) => frameOf({ delta: {}, finish_reason: reason }))),
    cuts: fc.array(fc.nat({ max: 600 }), { maxLength: 6 }),
  })
  .map(({ events, last, cuts }) => {
    const text = events.flatMap(([datas, write]) => datas.map(write)).join('');
    const bytes = Buffer.from(`${text}${last === undefined ? '' : `data: ${last}\n\ndata: [DONE]\n\n`}`);
    const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
    return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end)).filter((chunk) => chunk.length > 0);
  });

describe('ChatReply', () => {
  it('makes of every stream what the provider package makes of it', async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (chunks) => {
        const [here, there] = [await readHere(chunks), await readByPackage(chunks)];
        // The streams of the package lose what came just before an error.
        expect(there.reply ? here : { ...here, texts: [] }).toEqual(there.reply ? there : { ...there, texts: [] });
      }),
      { numRuns: 1000 },
    );
  });

  const call = (at: number) => ({ index: 0, id: `c${at}`, function: { name: 'a', arguments: '{' } });
  const tooMany =
    /^malformed: (the reply has more than 512 calls|an event has too many pieces of calls|the reply begins too many calls)$/;

  it.each<[string, string[]]>([
    ['one event', [frameOf({ delta: { tool_calls: Array.from({ length: 513 }, (_, at) => call(at)) } })]],
    [
      'events',
      Array.from({ length: 513 }, (_, at) =>
        frameOf({ delta: { tool_calls: [{ ...call(at), function: { name: 'a', arguments: '{}' } }] } }),
      ),
    ],
    [
      'calls without names',
      Array.from({ length: 513 }, (_, at) => frameOf({ delta: { tool_calls: [{ index: at, id: `c${at}`, function: {} }] } })),
    ],
  ])('rejects a reply with too many calls at once, in %s', async (_, datas) => {
    expect((await readHere([Buffer.from(datas.map((data) => `data: ${data}\n\n`).join(''))])).problem).toMatch(tooMany);
  });

  it('reads a call whose arguments arrive in thousands of pieces', async () => {
    const pieces = [`{"text":"`, ...Array.from({ length: 5000 }, () => 'word '), `"}`];
    const datas = pieces.map((text, at) =>
      frameOf({ delta: { tool_calls: [{ index: 0, id: 'c', function: { ...(at === 0 && { name: 'a' }), arguments: text } }] } }),
    );
    datas.push(frameOf({ delta: {}, finish_reason: 'tool_calls' }));
    const read = await readHere([Buffer.from(datas.map((data) => `data: ${data}\n\n`).join(''))]);
    expect(read.reply?.parts).toMatchObject([{ type: 'call', id: 'c', input: { text: 'word '.repeat(5000) } }]);
  });

  it('ignores an error that is null, which some servers send with every event', async () => {
    const data = frameOf({ delta: { content: 'Fine.' }, finish_reason: 'stop' }, { error: null });
    expect((await readHere([Buffer.from(`data: ${data}\n\n`)])).reply?.parts).toEqual([{ type: 'text', text: 'Fine.' }]);
  });
});
