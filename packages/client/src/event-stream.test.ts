import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEventStream, type StreamMessage } from './event-stream.ts';

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function parse(text: string, cuts: readonly number[] = []): Promise<StreamMessage[]> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place));
  const messages: StreamMessage[] = [];
  for await (const message of parseEventStream(streamOf(chunks))) messages.push(message);
  return messages;
}

const wire =
  'retry: 1000\n\n: hello\n\nid: e1\ndata: {"a":"ü€😀"}\n\nevent: delta\ndata: one\ndata: two\n\nid: e2\r\ndata:bare\r\n\r\nid: e3\ndata: cut off';

describe('parseEventStream', () => {
  it('reads ids, names and multi-line data, and drops a truncated event', async () => {
    expect(await parse(wire)).toEqual([
      { id: 'e1', event: 'message', data: '{"a":"ü€😀"}' },
      { id: 'e1', event: 'delta', data: 'one\ntwo' },
      { id: 'e2', event: 'message', data: 'bare' },
    ]);
  });

  it('reads the same events however the bytes are split', async () => {
    const whole = await parse(wire);
    const cutting = fc.asyncProperty(fc.array(fc.nat(400), { maxLength: 12 }), async (cuts) => {
      expect(await parse(wire, cuts)).toEqual(whole);
    });
    await fc.assert(cutting, { numRuns: 200 });
  });

  it('closes the connection when the reader stops', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const { data } of parseEventStream(endless)) if (data === 'x') break;
    expect(isCancelled).toBe(true);
  });
});
