import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { FeedItem } from '../../api/contract/feed.ts';
import { EventStream } from './event-stream-response.ts';
import { StreamPulse } from './open-streams.ts';

/** Endless: more than all the buffers between the two sides can hold. */
async function* talk(): AsyncGenerator<readonly FeedItem[]> {
  for (;;) yield [{ kind: 'delta', delta: { step: 1, attempt: 1, text: 'x'.repeat(1 << 20) } }];
}

interface StalledStream extends AsyncDisposable {
  clock: TestClock;
  controller: AbortController;
  reader: Socket;
  /** Resolves when nothing more is sent. */
  pumped: Promise<void>;
  /** Resolves when the service's side of the response is closed. */
  closed: Promise<unknown>;
}

/** A stream to a reader that takes nothing. */
async function openStalled(): Promise<StalledStream> {
  const clock = new TestClock();
  const controller = new AbortController();
  const begun = Promise.withResolvers<Pick<StalledStream, 'closed'> & { pumping: Promise<void> }>();
  const server = createServer((_, response) => {
    const pumping = new EventStream(response, 'req_1', { clock, pulse: new StreamPulse(clock) }).pump(talk(), controller.signal);
    begun.resolve({ closed: once(response, 'close'), pumping });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  reader.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const { pumping, closed } = await begun.promise;
  // The pulse and, once the socket is full, the stall timer.
  while (clock.timerCount < 2) await new Promise(setImmediate);
  return {
    ...{ clock, controller, reader, closed, pumped: pumping },
    async [Symbol.asyncDispose]() {
      controller.abort();
      reader.destroy();
      await closed;
      server.close();
    },
  };
}

describe('a stream whose reader takes nothing', () => {
  it('ends without an error when the service stops', async () => {
    await using stream = await openStalled();
    stream.controller.abort();
    await stream.pumped;
    const received = await text(stream.reader);
    expect(received).toMatch(/\n\n\r\n0\r\n\r\n$/);
    expect(received).not.toContain('event: error');
    await stream.closed;
    expect(stream.clock.timerCount).toBe(0);
  });

  it('does not delay the stop of the service', async () => {
    await using stream = await openStalled();
    stream.controller.abort();
    await stream.pumped;
    await stream.clock.advance(2000);
    await stream.closed;
    expect(stream.clock.timerCount).toBe(0);
  });

  it('ends with a named error after 30 seconds, and leaves no timer behind when the reader disconnects', async () => {
    await using stream = await openStalled();
    await stream.clock.advance(30_000);
    await stream.pumped;
    expect(stream.clock.timerCount).toBe(1);
    expect(await text(stream.reader)).toMatch(/event: error\ndata: .*"resource_exhausted".*\n\n\r\n0\r\n\r\n$/);
    await stream.closed;
    expect(stream.clock.timerCount).toBe(0);
  });
});

describe('the body of a stream', () => {
  const events: FeedItem[] = ['a', 'b'].map((piece) => ({ kind: 'delta', delta: { step: 1, attempt: 1, text: piece } }));

  /** What a reader of an HTTP version receives of two batches, whose connection stays open unless the response ends it. */
  async function receive(version: string): Promise<string> {
    async function* batches(): AsyncGenerator<readonly FeedItem[]> {
      for (const event of events) yield [event];
    }
    const server = createServer((_, response) => {
      const clock = new TestClock();
      const stream = new EventStream(response, 'req_1', { clock, pulse: new StreamPulse(clock) });
      void stream.pump(batches(), new AbortController().signal);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    reader.write(`GET / HTTP/${version}\r\nhost: x\r\nconnection: ${version === '1.0' ? 'close' : 'keep-alive'}\r\n\r\n`);
    let received = '';
    for await (const bytes of reader) {
      received += String(bytes);
      if (received.endsWith('\r\n0\r\n\r\n')) break;
    }
    server.close();
    return received;
  }

  // A reader of an unframed body cannot tell how much there is to read: Python's requests waits until it has 512 bytes.
  it('is chunked, with each batch in a chunk of its own', async () => {
    const [head, body = ''] = (await receive('1.1')).split('\r\n\r\n', 2);
    expect(head).toMatch(/^transfer-encoding: chunked$/im);
    const chunks = body.split(/(?:^|\r\n)[\da-f]+\r\n/).filter((chunk) => chunk !== '');
    expect(chunks.map((chunk) => chunk.trim().split('\n')[0])).toEqual(['retry: 1000', 'event: delta', 'event: delta']);
  });

  it('ends with the connection for a reader that does not know chunks', async () => {
    const [head, body = ''] = (await receive('1.0')).split('\r\n\r\n', 2);
    expect(head).not.toMatch(/^transfer-encoding/im);
    expect(body).toMatch(/^retry: 1000\n\nevent: delta\n/);
  });
});
