import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeAttachments } from '../../rules/messages/attachment-place.ts';
import type { Attachment } from '../../rules/events/task-event.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import type { ModelRequest } from '../model.ts';
import { toCallOptions } from './provider-prompt.ts';

const tool = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } };

function request(extra: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'Be good.', transcript: [{ role: 'user', text: 'hi' }], tools: [tool], ...extra };
}

const words = fc.string({ minLength: 1 });
const step = fc
  .tuple(words, fc.uniqueArray(words, { minLength: 1, maxLength: 3 }), words)
  .map(([text, ids, output]): TranscriptEntry[] => [
    {
      role: 'assistant',
      parts: [{ type: 'text', text }, ...ids.map((id) => ({ type: 'call' as const, id, tool: 'look', input: {} }))],
    },
    { role: 'tool', results: ids.map((id) => ({ callId: id, tool: 'look', output, isError: false })) },
  ]);

describe('toCallOptions', () => {
  it('starts each prompt with the complete previous one, so that providers can cache it', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const withoutMarks = (transcript: TranscriptEntry[]) =>
          toCallOptions(request({ transcript }), 'native').prompt.map((message) =>
            JSON.stringify({ ...message, providerOptions: null }),
          );
        const first: TranscriptEntry = { role: 'user', text: 'hi' };
        const whole = withoutMarks([first, ...steps.flat()]);
        const before = withoutMarks([first, ...steps.slice(0, -1).flat()]);
        expect(whole.slice(0, before.length)).toEqual(before);
      }),
    );
  });

  it('marks the ends of system, tools and conversation for the cache', () => {
    const { prompt, tools } = toCallOptions(request({ tools: [tool, tool] }), 'native');
    const marks = [...prompt, ...(tools ?? [])].map((each) => 'providerOptions' in each);
    expect(marks).toEqual([true, true, false, true]);
  });

  it('also marks the end of the previous prompt, and never more than four places', () => {
    const transcript: TranscriptEntry[] = [{ role: 'user', text: 'hi' }];
    const marksOf = () => {
      const { prompt, tools } = toCallOptions(request({ transcript }), 'native');
      return [...(tools ?? []), ...prompt].flatMap((each, at) => ('providerOptions' in each ? [at] : []));
    };
    expect(marksOf()).toEqual([0, 1, 2]);
    for (let round = 0; round < 4; round++) {
      const end = marksOf().at(-1) ?? 0;
      transcript.push(
        { role: 'assistant', parts: [{ type: 'call', id: `c${round}`, tool: 'look', input: {} }] },
        { role: 'tool', results: [{ callId: `c${round}`, tool: 'look', output: 'seen', isError: false }] },
      );
      expect(marksOf()).toEqual([0, 1, end, end + 2]);
    }
  });

  it('declares tools as not strict for providers that default to strict', () => {
    expect(toCallOptions(request(), 'native', { assumesStrict: true }).tools).toMatchObject([{ name: 'look', strict: false }]);
    expect(toCallOptions(request(), 'native').tools?.[0]).not.toHaveProperty('strict');
  });

  it('does not modify the request, whose transcript is shared', () => {
    const deepFreeze = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      Object.freeze(value);
      Object.values(value).forEach(deepFreeze);
    };
    const frozen = request();
    deepFreeze(frozen);
    expect(() => toCallOptions(frozen, 'asked')).not.toThrow();
  });

  it('describes tool calls as text where no tools are offered, because providers reject calls of unknown tools', () => {
    const transcript: TranscriptEntry[] = [
      { role: 'user', text: 'hi' },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'secret thoughts', provider: { anthropic: { signature: 's' } } },
          { type: 'text', text: 'I look.' },
          { type: 'call', id: 'c1', tool: 'look', input: { at: 'it' } },
        ],
      },
      { role: 'tool', results: [{ callId: 'c1', tool: 'look', output: 'It is red.', isError: false }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Red.' }] },
    ];
    const { prompt } = toCallOptions(request({ tools: [], transcript, outputSchema: { type: 'object' } }), 'native');
    expect(
      prompt.map(({ role, content }) => [
        role,
        typeof content === 'string' ? content : content.map((part) => 'text' in part && part.text),
      ]),
    ).toEqual([
      ['system', 'Be good.'],
      ['user', ['hi']],
      ['assistant', ['I look.\n\nCalled the tool look: {"at":"it"}']],
      ['user', ['Result of the tool look:\nIt is red.']],
      ['assistant', ['Red.']],
    ]);
  });

  it('names the pictures of results where they cannot be part of them', () => {
    const pictures = (...names: string[]) => names.map((name) => ({ blobId: name, bytes: 6, name }));
    const result = { tool: 'look', output: 'Made.', isError: false };
    const transcript: TranscriptEntry[] = [
      {
        role: 'tool',
        results: [
          { ...result, callId: 'c1', pictures: pictures('chart.png') },
          { ...result, callId: 'c2', pictures: pictures('deck-1.png', 'gone.png') },
        ],
      },
    ];
    const bytes = Buffer.from('pixels');
    const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } };
    const images = new Map(['chart.png', 'deck-1.png'].map((name) => [name, { mediaType: 'image/png', bytes }]));
    const after = toCallOptions(request({ transcript, images }), 'native').prompt.at(-1);
    const named = (name: string) => [{ type: 'text', text: `${name}:` }, image];
    expect(after?.content.slice(1)).toEqual([...named('chart.png'), ...named('deck-1.png')]);
    const inside = toCallOptions(request({ transcript, images }), 'native', { picturePlace: 'results' }).prompt;
    expect(JSON.stringify(inside)).not.toContain('chart.png');
  });

  it('mentions attached files by path, and shows images whose bytes are included', () => {
    const image = (name: string): Attachment => ({
      kind: 'image',
      filename: name,
      contentType: 'image/png',
      bytes: 9,
      blobId: name,
    });
    const attachments = placeAttachments([], [image('seen.png'), image('unseen.png')]);
    const transcript: TranscriptEntry[] = [{ role: 'user', text: 'What is this?', attachments }];
    const bytes = Buffer.from('pixels');
    const images = new Map([['seen.png', { mediaType: 'image/png', bytes }]]);
    const [, message] = toCallOptions(request({ transcript, images }), 'native').prompt;
    expect(message?.content).toEqual([
      { type: 'text', text: expect.stringContaining('- attachments/unseen.png (image/png, 9 bytes)') as string },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
    ]);
    const [, blind] = toCallOptions(request({ transcript }), 'native').prompt;
    expect(blind?.content).toHaveLength(1);
  });

  it('puts a reminder last, after the cached prefix', () => {
    const { prompt } = toCallOptions(request({ reminder: 'The plan.' }), 'native');
    expect(prompt.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'The plan.' }] });
    expect(prompt.at(-2)?.providerOptions).toEqual({ anthropic: { cacheControl: { type: 'ephemeral' } } });
  });

  it('forbids tools when it requests a structured reply', () => {
    const outputSchema = { type: 'object' };
    expect(toCallOptions(request({ outputSchema }), 'native')).toMatchObject({
      toolChoice: { type: 'none' },
      responseFormat: { type: 'json', schema: outputSchema },
    });
    expect(toCallOptions(request({ outputSchema }), 'asked').responseFormat).toEqual({ type: 'json' });
    expect(toCallOptions(request(), 'native')).not.toHaveProperty('responseFormat');
  });

  it('omits what providers reject: empty texts, an empty system, empty turns', () => {
    const transcript: TranscriptEntry[] = [
      { role: 'user', text: '' },
      { role: 'assistant', parts: [{ type: 'text', text: '' }] },
      { role: 'assistant', parts: [{ type: 'text', text: '', provider: { google: { thoughtSignature: 's' } } }] },
    ];
    const { prompt, tools } = toCallOptions(request({ system: '', transcript, tools: [] }), 'native');
    expect(prompt).toMatchObject([{ role: 'assistant', content: [{ providerOptions: { google: { thoughtSignature: 's' } } }] }]);
    expect(tools).toBeUndefined();
  });
});
