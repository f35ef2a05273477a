import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { FeedItem } from '../../api/contract/feed.ts';
import { EventStream } from './event-stream-response.ts';

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
    const pumping = new EventStream(response, 'req_1', clock).pump(talk(), controller.signal);
    begun.resolve({ closed: once(response, 'close'), pumping });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  reader.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const { pumping, closed } = await begun.promise;
  // The heartbeat and, once the socket is full, the stall timer.
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
    expect(received).toMatch(/\n\n$/);
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
    expect(await text(stream.reader)).toMatch(/event: error\ndata: .*"resource_exhausted".*\n\n$/);
    await stream.closed;
    expect(stream.clock.timerCount).toBe(0);
  });
});
