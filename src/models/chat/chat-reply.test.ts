import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelFault, type ModelReply, type ModelRequest } from '../model.ts';
import { fromPackage } from '../part-source.ts';
import { toCallOptions } from '../prompt.ts';
import { ReplyBuilder } from '../reply.ts';
import { ChatReply } from './chat-reply.ts';
import { EventReader } from './event-reader.ts';

const request: ModelRequest = { system: '', transcript: [{ role: 'user', text: 'hi' }], tools: [] };

/** Ids that were made up are no part of what was said. */
function normalise({ parts, usage }: ModelReply): unknown {
  return {
    usage,
    parts: parts.map((part) => (part.type === 'call' ? { ...part, id: part.id.replace(/^(?!id-).*/, 'made up') } : part)),
  };
}

function read(bytes: Buffer, cuts: readonly number[] = []): unknown {
  const builder = new ReplyBuilder(request, () => undefined);
  const reply = new ChatReply((part) => builder.add(part));
  const events = new EventReader((data) => reply.hear(data));
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  try {
    [0, ...ends].forEach((start, at) => events.push(bytes.subarray(start, ends[at])));
    reply.end();
    return normalise(builder.build());
  } catch (error) {
    return error instanceof ModelFault ? error.kind : 'malformed';
  }
}

async function readByPackage(bytes: Buffer): Promise<unknown> {
  const answer: typeof fetch = () => Promise.resolve(new Response(bytes, { headers: { 'content-type': 'text/event-stream' } }));
  const model = createOpenAICompatible({ name: 'compatible', baseURL: 'http://localhost', fetch: answer })('m');
  const builder = new ReplyBuilder(request, () => undefined);
  try {
    await fromPackage(model).play(toCallOptions(request, 'native'), (part) => builder.add(part));
    return normalise(builder.build());
  } catch (error) {
    return error instanceof ModelFault ? error.kind : 'malformed';
  }
}

const event = (chunk: unknown) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`;
const delta = (fields: object, reason: string | null = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
const close = (reason: string) => `${delta({}, reason)}${event('[DONE]')}`;

interface Wanted {
  name: string;
  input: string;
}

/** How servers write the calls of a reply: what they repeat, what they leave out, how they count. */
const styles: Record<string, (calls: readonly Wanted[]) => string[]> = {
  'as OpenAI does': (calls) =>
    calls.flatMap(({ name, input }, index) => [
      delta({ tool_calls: [{ index, id: `id-${index}`, type: 'function', function: { name, arguments: '' } }] }),
      ...halve(input).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  'in one piece each': (calls) =>
    calls.map(({ name, input }, index) =>
      delta({ tool_calls: [{ index, id: `id-${index}`, function: { name, arguments: input } }] }),
    ),
  'in one piece altogether': (calls) => [
    delta({
      tool_calls: calls.map(({ name, input }, index) => ({ index, id: `id-${index}`, function: { name, arguments: input } })),
    }),
  ],
  'all as number 0': (calls) =>
    calls.map(({ name, input }, at) =>
      delta({ tool_calls: [{ index: 0, id: `id-${at}`, function: { name, arguments: input } }] }),
    ),
  'without numbers': (calls) =>
    calls.map(({ name, input }, at) => delta({ tool_calls: [{ id: `id-${at}`, function: { name, arguments: input } }] })),
  'without numbers and in pieces': (calls) =>
    calls.flatMap(({ name, input }, at) => [
      delta({ tool_calls: [{ id: `id-${at}`, function: { name, arguments: '' } }] }),
      ...halve(input).map((piece) => delta({ tool_calls: [{ id: `id-${at}`, function: { arguments: piece } }] })),
    ]),
  'with id and name in every piece': (calls) =>
    calls.flatMap(({ name, input }, index) =>
      ['', ...halve(input)].map((piece) =>
        delta({ tool_calls: [{ index, id: `id-${index}`, function: { name, arguments: piece } }] }),
      ),
    ),
  'with blank ids and names in later pieces': (calls) =>
    calls.flatMap(({ name, input }, index) => [
      delta({ tool_calls: [{ index, id: `id-${index}`, function: { name, arguments: '' } }] }),
      ...halve(input).map((piece) => delta({ tool_calls: [{ index, id: '', function: { name: '', arguments: piece } }] })),
    ]),
  'without ids': (calls) =>
    calls.flatMap(({ name, input }, index) => [
      delta({ tool_calls: [{ index, function: { name, arguments: '' } }] }),
      ...halve(input).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  'with a new id in every piece': (calls) =>
    calls.flatMap(({ name, input }, index) => [
      delta({ tool_calls: [{ index, id: `id-${index}`, function: { name, arguments: '' } }] }),
      ...halve(input).map((piece, at) =>
        delta({ tool_calls: [{ index, id: `other-${index}-${at}`, function: { arguments: piece } }] }),
      ),
    ]),
  'with the name behind the id': (calls) =>
    calls.flatMap(({ name, input }, index) => [
      delta({ tool_calls: [{ index, id: `id-${index}`, function: {} }] }),
      delta({ tool_calls: [{ index, function: { name } }] }),
      delta({ tool_calls: [{ index, function: { arguments: input } }] }),
    ]),
  'signed by Google': (calls) =>
    calls.map(({ name, input }, index) =>
      delta({
        tool_calls: [
          {
            index,
            id: `id-${index}`,
            function: { name, arguments: input },
            extra_content: { google: { thought_signature: 'sig' } },
          },
        ],
      }),
    ),
};

function halve(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

const calls = fc.array(
  fc.record({
    name: fc.constantFrom('read', 'write'),
    input: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  }),
  { minLength: 1, maxLength: 4 },
);

describe('a reply of a chat server', () => {
  it.each(Object.entries(styles))('is read as the package reads it, with calls written %s', async (_, write) => {
    const property = fc.asyncProperty(calls, fc.array(fc.nat(), { maxLength: 5 }), async (wanted, cuts) => {
      const bytes = Buffer.from(`${delta({ role: 'assistant', content: '' })}${write(wanted).join('')}${close('tool_calls')}`);
      const got = read(bytes, cuts);
      expect(got).toEqual(await readByPackage(bytes));
      const parts = wanted.map(({ name, input }) => ({ type: 'call', tool: name, input: JSON.parse(input) as unknown }));
      expect(got).toMatchObject({ parts });
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('is read as the package reads it, with thoughts, texts, refusals, usage and all reasons to end', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    const piece = fc.oneof(
      text.map((content) => delta({ content })),
      text.map((thought) => delta({ reasoning_content: thought })),
      text.map((thought) => delta({ reasoning: thought, content: null })),
      text.map((word) =>
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: word }] },
            { type: 'text', text: word },
          ],
        }),
      ),
      text.map((refusal) => delta({ refusal })),
      fc.constantFrom(
        ': comment\n\n',
        'event: ping\nid: 7\n\n',
        event({ choices: [] }),
        delta({ content: null, tool_calls: null }),
      ),
      fc
        .nat()
        .map((n) =>
          event({ choices: [], usage: { prompt_tokens: n, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } } }),
        ),
      fc.constant(event({ choices: [{ index: 0, delta: null, finish_reason: null }], usage: null })),
    );
    const reason = fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls', 'function_call', 'weird');
    const property = fc.asyncProperty(
      fc.array(piece, { maxLength: 8 }),
      reason,
      fc.array(fc.nat()),
      async (pieces, end, cuts) => {
        const bytes = Buffer.from(pieces.join('') + close(end));
        expect(read(bytes, cuts)).toEqual(await readByPackage(bytes));
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it('is refused where the package refuses it', async () => {
    const broken = [
      '',
      'data: {\n\n',
      event({ unexpected: true }),
      event('null'),
      event('[]'),
      event({ choices: 'none' }),
      event({ choices: [{ delta: { content: 5 } }] }),
      event({ choices: [{ delta: { tool_calls: [{ index: 'a', function: { name: 'f' } }] } }] }),
      event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 5 } }] } }] }),
      event({ choices: [{ delta: 'text' }] }),
      event({ error: { message: 'no' } }),
      `${delta({ content: 'half' })}${event({ error: { message: 'broken', code: 'x' } })}`,
      `${delta({ tool_calls: [{ index: 0, id: 'a', function: {} }] })}${close('tool_calls')}`,
    ];
    for (const text of broken) {
      const bytes = Buffer.from(text);
      expect([text, read(bytes)]).toEqual([text, await readByPackage(bytes)]);
    }
  });

  it('counts as broken off where its end is missing, so that it is asked for again', () => {
    const half = delta({ content: 'half' });
    for (const text of [
      half,
      delta({ reasoning_content: 'hm' }),
      `${half}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`,
    ]) {
      expect(read(Buffer.from(text))).toBe('unavailable');
    }
  });

  it('hears of an overload in the middle of it by its number', () => {
    const errors: unknown[] = [];
    new ChatReply((part) => errors.push(part)).hear('{"error":{"code":503,"message":"busy"}}');
    expect(errors).toEqual([{ type: 'error', error: { message: 'busy', statusCode: 503 } }]);
  });

  it('is the same with every end of line that there is, wherever its bytes are cut', () => {
    const lines = [delta({ content: 'größer 🌍' }), delta({ content: ' als' }), close('stop')].join('');
    const whole = read(Buffer.from(lines));
    expect(whole).toMatchObject({ parts: [{ type: 'text', text: 'größer 🌍 als' }] });
    const property = fc.property(fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), fc.array(fc.nat()), (end, hasMark, cuts) => {
      const bytes = Buffer.from((hasMark ? '\ufeff' : '') + lines.replaceAll('\n', end));
      expect(read(bytes, cuts)).toEqual(whole);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
