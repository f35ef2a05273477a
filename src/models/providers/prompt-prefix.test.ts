import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import type { ModelRequest } from '../model.ts';
import { ProviderModel } from './provider-model.ts';
import { toCallOptions } from './provider-prompt.ts';
import { providers } from './providers.ts';

const reply = 'data: {"id":"1","choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const baseUrl = 'http://127.0.0.1:1/v1';
const tool = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } };

/** A `fetch` that keeps what is sent. */
function openWire() {
  const bodies: string[] = [];
  const wire = ((_url: unknown, { body }: { body: string | Buffer }) => {
    bodies.push(body.toString());
    return Promise.resolve(new Response(reply, { headers: { 'content-type': 'text/event-stream' } }));
  }) as typeof fetch;
  return { bodies, wire };
}

function openModel() {
  const { bodies, wire } = openWire();
  const endpoint = { provider: providers.compatible, modelName: 'm', baseUrl, apiKey: undefined };
  const facts = { window: 1_000_000, outputLimit: 1000, price: null, canSee: true };
  const model = new ProviderModel({ name: 'compatible/m', endpoint, facts, clock: new TestClock(), wire });
  const ask = async (request: ModelRequest) => {
    await model.call(request, { signal: new AbortController().signal, onText: () => undefined });
    return bodies.at(-1) ?? '';
  };
  return { ask };
}

/** What the package alone sends. */
async function serialize(request: ModelRequest): Promise<string> {
  const { bodies, wire } = openWire();
  const model = await providers.compatible.load({ modelName: 'm', baseUrl, apiKey: undefined, wire });
  const { stream } = await model.doStream(toCallOptions(request, 'native', providers.compatible));
  await stream.cancel();
  return bodies.at(-1) ?? '';
}

function requestOf(transcript: readonly TranscriptEntry[], extra: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'Be good.', transcript, tools: [tool], ...extra };
}

const words = fc.string({ unit: 'grapheme', maxLength: 12 });
const step = fc
  .tuple(words, fc.uniqueArray(words, { maxLength: 3 }), words, fc.dictionary(words, words))
  .map(([text, ids, output, input]): TranscriptEntry[] => [
    { role: 'user', text: output },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: output },
        { type: 'text', text },
        ...ids.map((id) => ({ type: 'call' as const, id, tool: 'look {}', input })),
      ],
    },
    { role: 'tool', results: ids.map((id) => ({ callId: id, tool: 'look', output: `${output}"}{`, isError: false })) },
  ]);

/** How a conversation continues before the next call. */
const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ add: fc.array(step, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ clearAt: fc.nat({ max: 80 }) }) },
  { weight: 1, arbitrary: fc.record({ keepFrom: fc.nat({ max: 80 }) }) },
  { weight: 1, arbitrary: fc.record({ image: fc.constant(true) }) },
);
type Change = { add: TranscriptEntry[][] } | { clearAt: number } | { keepFrom: number } | { image: true };

function apply(transcript: readonly TranscriptEntry[], changed: Change): TranscriptEntry[] {
  if ('add' in changed) return [...transcript, ...changed.add.flat()];
  if ('keepFrom' in changed) return [{ role: 'user', text: 'A summary.' }, ...transcript.slice(changed.keepFrom)];
  if ('clearAt' in changed) return transcript.with(changed.clearAt % transcript.length, { role: 'user', text: 'cleared' });
  return [...transcript];
}

function showImages(): Partial<ModelRequest> {
  return { images: new Map([['b', { mediaType: 'image/png', bytes: new Uint8Array([1]) }]]) };
}

describe('a request of a long conversation', () => {
  it('has the bytes that the provider package alone would send, however the conversation has changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 12, maxLength: 20 }),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (begun, changes, hasSystem) => {
          const { ask } = openModel();
          let transcript = begun.flat();
          for (const changed of [...changes, { add: [] }]) {
            transcript = apply(transcript, changed);
            const extra = { system: hasSystem ? 'Be good.' : '', ...('image' in changed && showImages()) };
            const request = requestOf(transcript, { ...extra, ...(changes.length % 2 === 0 && { reminder: 'Your plan: {}' }) });
            expect(await ask(request)).toBe(await serialize(request));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is correct for calls of two conversations at once, and for two that have begun alike', async () => {
    const { ask } = openModel();
    const begun = fc.sample(step, 40).flat();
    await ask(requestOf(begun));
    const branches = Array.from({ length: 4 }, (_, at) => requestOf([...begun, { role: 'user', text: `branch ${at}` }]));
    const long = branches.map(({ transcript }, at) => requestOf([...transcript, { role: 'user', text: `more ${at}` }]));
    for (const request of [...branches, ...long, ...branches]) expect(await ask(request)).toBe(await serialize(request));
    const { ask: another } = openModel();
    await Promise.all(branches.map((request) => another(request)));
    for (const request of long) expect(await another(request)).toBe(await serialize(request));
  });

  it('is made from what is new only: earlier entries are not read again', async () => {
    const { ask } = openModel();
    let reads = 0;
    const results = (count: number): TranscriptEntry[] =>
      Array.from({ length: count }, (_, at) => {
        const result = { callId: `c${at}`, tool: 'look', isError: false };
        return {
          role: 'tool',
          results: [
            {
              ...result,
              get output() {
                reads += 1;
                return 'seen';
              },
            },
          ],
        };
      });
    const readsOfCall = async (transcript: TranscriptEntry[]) => {
      reads = 0;
      await ask(requestOf(transcript));
      return reads;
    };
    const [short, long] = [results(100), results(2000)];
    await readsOfCall(short);
    await readsOfCall(long);
    const ofShort = await readsOfCall([...short, ...results(2)]);
    const ofLong = await readsOfCall([...long, ...results(2)]);
    expect(ofLong).toBe(ofShort);
    expect(ofShort).toBeLessThan(20);
  });
});
