import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelEffort, modelEfforts } from '../../rules/instance/model-tuning.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import type { ModelRequest } from '../model.ts';
import { ChatBodies, type ChatCall } from './chat-body.ts';
import { toCallOptions } from './provider-prompt.ts';

const baseURL = 'http://127.0.0.1:1/v1';
const tool = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } };

function openBodies() {
  const bodies = new ChatBodies('m');
  const native: ChatCall = { mode: 'native' };
  return (request: ModelRequest, call = native) => Buffer.concat(bodies.write(request, call)).toString();
}

/** What the provider package sends. */
async function serialize(request: ModelRequest, { mode, effort }: ChatCall = { mode: 'native' }): Promise<string> {
  const bodies: string[] = [];
  const keep = ((_url: unknown, { body }: { body: string }) => {
    bodies.push(body);
    return Promise.resolve(new Response(''));
  }) as typeof fetch;
  const options = { name: 'compatible', baseURL, fetch: keep, includeUsage: true, supportsStructuredOutputs: true };
  const { stream } = await createOpenAICompatible(options)('m').doStream({
    ...toCallOptions(request, mode),
    ...(request.outputLimit !== undefined && { maxOutputTokens: request.outputLimit }),
    ...(effort !== undefined && { reasoning: effort }),
  });
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
  it('has the bytes that the provider package would send, however the conversation has changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 12, maxLength: 20 }),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (begun, changes, hasSystem) => {
          const ask = openBodies();
          let transcript = begun.flat();
          for (const changed of [...changes, { add: [] }]) {
            transcript = apply(transcript, changed);
            const extra = { system: hasSystem ? 'Be good.' : '', ...('image' in changed && showImages()) };
            const request = requestOf(transcript, { ...extra, ...(changes.length % 2 === 0 && { reminder: 'Your plan: {}' }) });
            expect(ask(request)).toBe(await serialize(request));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is correct for calls of two conversations at once, and for two that have begun alike', async () => {
    const ask = openBodies();
    const begun = fc.sample(step, 40).flat();
    ask(requestOf(begun));
    const branches = Array.from({ length: 4 }, (_, at) => requestOf([...begun, { role: 'user', text: `branch ${at}` }]));
    const long = branches.map(({ transcript }, at) => requestOf([...transcript, { role: 'user', text: `more ${at}` }]));
    for (const request of [...branches, ...long, ...branches]) expect(ask(request)).toBe(await serialize(request));
    const another = openBodies();
    for (const request of branches) another(request);
    for (const request of long) expect(another(request)).toBe(await serialize(request));
  });

  it('is made from what is new only: earlier entries are not read again', () => {
    const ask = openBodies();
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
    const readsOfCall = (transcript: TranscriptEntry[]) => {
      reads = 0;
      ask(requestOf(transcript));
      return reads;
    };
    const [short, long] = [results(100), results(2000)];
    readsOfCall(short);
    readsOfCall(long);
    const ofShort = readsOfCall([...short, ...results(2)]);
    const ofLong = readsOfCall([...long, ...results(2)]);
    expect(ofLong).toBe(ofShort);
    expect(ofShort).toBeLessThan(20);
  });
});

describe('a request', () => {
  const calls = (): TranscriptEntry[] => {
    const signed = { compatible: { thoughtSignature: 'sealed' } };
    const picture = { blobId: 'b', bytes: 9, name: 'a.png' };
    return [
      {
        role: 'user',
        text: 'Look.',
        attachments: [{ ...picture, path: 'a.png', filename: 'a.png', contentType: 'image/png', kind: 'file' }],
      },
      {
        role: 'assistant',
        parts: [{ type: 'call', id: 'c1', tool: 'look', input: { deep: ['"', 1n.toString()] }, provider: signed }],
      },
      { role: 'tool', results: [{ callId: 'c1', tool: 'look', output: '', isError: true, pictures: [picture] }] },
      { role: 'assistant', parts: [{ type: 'call', id: 'c2', tool: 'look', input: 'no object' }] },
      { role: 'tool', results: [{ callId: 'c2', tool: 'look', output: 'x', isError: false }] },
      { role: 'assistant', parts: [] },
    ];
  };
  const call = fc.record({
    mode: fc.constantFrom('native' as const, 'asked' as const),
    effort: fc.option(fc.constantFrom(...modelEfforts), { nil: undefined }),
  }) satisfies fc.Arbitrary<{ mode: 'native' | 'asked'; effort: ModelEffort | undefined }>;
  const extras = fc.record(
    {
      system: fc.constantFrom('', 'Be good.', 'Be better: "}{'),
      tools: fc.constantFrom([], [tool], [tool, { ...tool, name: 'listen' }]),
      reminder: fc.constant('Your plan.'),
      outputSchema: fc.constant({ type: 'object', properties: {} }),
      outputLimit: fc.nat(),
      images: fc.constant(showImages().images ?? new Map<string, never>()),
    },
    { requiredKeys: [] },
  );

  it('has the bytes that the provider package would send, with whatever it asks for', async () => {
    const ask = openBodies();
    await fc.assert(
      fc.asyncProperty(extras, call, fc.array(step, { maxLength: 2 }), fc.boolean(), async (extra, how, steps, hasCalls) => {
        const transcript = [...steps.flat(), ...(hasCalls ? calls() : [])];
        const request = requestOf(transcript, extra);
        expect(ask(request, how)).toBe(await serialize(request, how));
      }),
      { numRuns: 300 },
    );
  });
});
