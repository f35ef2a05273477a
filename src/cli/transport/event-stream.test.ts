import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEventStream, type StreamMessage } from './event-stream.ts';

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function parse(text: string, sizes: readonly number[] = [text.length * 4 + 1]): Promise<StreamMessage[]> {
  const messages: StreamMessage[] = [];
  for await (const message of parseEventStream(inPieces(new TextEncoder().encode(text), sizes))) messages.push(message);
  return messages;
}

describe('an event stream', () => {
  it('is parsed into messages', async () => {
    const text = 'retry: 1000\n\nid: 1\ndata: {"a":1}\n\n: keep-alive\n\nevent: delta\ndata: x\ndata: y\n\n';
    expect(await parse(text)).toEqual([
      { id: '1', event: 'message', data: '{"a":1}' },
      { id: '1', event: 'delta', data: 'x\ny' },
    ]);
  });

  it('accepts any line ending, and colons without a space', async () => {
    expect(await parse('id:1\r\ndata:a\r\n\r\n')).toEqual([{ id: '1', event: 'message', data: 'a' }]);
  });

  it('that is truncated loses only its last message', async () => {
    expect(await parse('data: a\n\ndata: b\n')).toEqual([{ id: null, event: 'message', data: 'a' }]);
  });

  it('is parsed identically however it is split', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.stringMatching(/^[a-z]{1,3}$/), data: line }), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (messages, sizes) => {
          const text = messages.map(({ id, data }) => `id: ${id}\ndata: ${data}\n\n`).join('');
          expect(await parse(text, sizes)).toEqual(messages.map(({ id, data }) => ({ id, event: 'message', data })));
        },
      ),
    );
  });
});
