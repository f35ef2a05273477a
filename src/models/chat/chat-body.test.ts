import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelPart } from '../../rules/task-event.ts';
import type { TranscriptEntry } from '../../rules/task-state.ts';
import type { ModelRequest } from '../model.ts';
import { toCallOptions } from '../prompt.ts';
import { writeChatBody } from './chat-body.ts';

/** What the provider's package would send: it was in the place of our own wire, and knows many servers. */
async function bodyOfPackage(options: LanguageModelV4CallOptions): Promise<unknown> {
  let sent: unknown;
  const keep: typeof fetch = (_, init) => {
    sent = JSON.parse(init?.body as string);
    return Promise.resolve(new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } }));
  };
  const settings = { name: 'compatible', baseURL: 'http://localhost', fetch: keep, includeUsage: true };
  const model = createOpenAICompatible({ ...settings, supportsStructuredOutputs: true })('some-model');
  const { stream } = await model.doStream(options);
  await stream.cancel();
  return sent;
}

const words = fc.string({ maxLength: 8, unit: 'binary' }).map((text) => text.toWellFormed());
const provider = fc.constantFrom(undefined, { compatible: { thoughtSignature: 's1' } }, { google: { thoughtSignature: 's2' } });
const withProvider = <Part extends ModelPart>(part: fc.Arbitrary<Part>): fc.Arbitrary<ModelPart> =>
  fc.tuple(part, provider).map(([each, data]) => (data === undefined ? each : { ...each, provider: data }));
const part = fc.oneof(
  withProvider(fc.record({ type: fc.constant('text' as const), text: words })),
  withProvider(fc.record({ type: fc.constant('reasoning' as const), text: words })),
  withProvider(
    fc.record({
      type: fc.constant('call' as const),
      id: fc.constantFrom('call_1', 'call_2'),
      tool: fc.constantFrom('look', 'no such tool!', ''),
      input: fc.oneof(fc.dictionary(words, fc.jsonValue()), words, fc.constant([1, 2])),
    }),
  ),
);
const picture = { blobId: 'b1', bytes: 3, name: 'a.png' };
const entry: fc.Arbitrary<TranscriptEntry> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), text: words }),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 4 }) }),
  fc.record({
    role: fc.constant('tool' as const),
    results: fc.array(
      fc
        .record({ callId: words, tool: fc.constant('look'), output: words, isError: fc.boolean() })
        .chain((result) => fc.constantFrom(result, { ...result, pictures: [picture] })),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);
const tool = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'string' } } } };
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };

describe('writeChatBody', () => {
  it('writes what the package of the provider writes, whatever the conversation', async () => {
    const images = new Map([['b1', { mediaType: 'image/png', bytes: Buffer.from('abc') }]]);
    const request: fc.Arbitrary<ModelRequest> = fc.record(
      {
        system: words,
        transcript: fc.array(entry, { maxLength: 6 }),
        tools: fc.constantFrom([], [tool], [tool, { ...tool, name: 'other' }]),
        images: fc.constant(images),
        reminder: words,
        outputSchema: fc.constant(schema),
      },
      { requiredKeys: ['system', 'transcript', 'tools'] },
    );
    const property = fc.asyncProperty(request, fc.constantFrom('native' as const, 'asked' as const), async (asked, mode) => {
      const options = toCallOptions(asked, mode);
      expect(JSON.parse(writeChatBody('some-model', options))).toEqual(await bodyOfPackage(options));
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('writes the tools once for a list, and again for another', () => {
    let reads = 0;
    const counted = {
      ...tool,
      get description() {
        return `read ${++reads} times`;
      },
    };
    const tools = [counted];
    const write = (list: typeof tools) =>
      JSON.parse(writeChatBody('m', toCallOptions({ system: 's', transcript: [], tools: list }, 'native'))) as { tools: unknown };
    const first = write(tools);
    expect(write(tools)).toEqual(first);
    expect(write([...tools]).tools).not.toEqual(first.tools);
  });
});
