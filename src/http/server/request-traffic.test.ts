import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { Traffic } from './request-traffic.ts';

function open(clock: TestClock, writableLength = 0) {
  const state = { destroyed: false };
  const socket = { writableLength, destroy: () => (state.destroyed = true) };
  const response = { writableEnded: false };
  const traffic = new Traffic(clock);
  const request = { socket } as unknown as IncomingMessage;
  traffic.enter(request, response as unknown as ServerResponse);
  return { state, response, traffic, request };
}

describe('a caller that does not read its response', () => {
  it('is disconnected after a timeout, which is longer for a large response', async () => {
    const clock = new TestClock(0);
    const [small, large] = [open(clock), open(clock, 64 * 60_000)];
    for (const { response } of [small, large]) response.writableEnded = true;
    await clock.advance(34_000);
    expect([small.state.destroyed, large.state.destroyed]).toEqual([false, false]);
    await clock.advance(6000);
    expect([small.state.destroyed, large.state.destroyed]).toEqual([true, false]);
    await clock.advance(60_000);
    expect(large.state.destroyed).toBe(true);
  });

  it('is not disconnected while its response is still being created, or after it was sent', async () => {
    const clock = new TestClock(0);
    const [making, left] = [open(clock), open(clock)];
    left.response.writableEnded = true;
    await clock.advance(20_000);
    left.traffic.leave(left.request, left.response as unknown as ServerResponse);
    await clock.advance(600_000);
    expect([making.state.destroyed, left.state.destroyed]).toEqual([false, false]);
  });
});

describe('requests of one socket', () => {
  it('are processed eight at a time, the others in order, and none after the caller has disconnected', () => {
    const traffic = new Traffic(new TestClock());
    const socket = { destroyed: false, destroy: () => undefined };
    const request = { socket } as unknown as IncomingMessage;
    const responses = Array.from({ length: 12 }, () => ({ socket }) as unknown as ServerResponse);
    const begun: number[] = [];
    for (const [at, response] of responses.entries()) {
      traffic.enter(request, response);
      traffic.admit(request, response, () => begun.push(at));
    }
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (const response of responses.slice(2, 4)) traffic.leave(request, response);
    expect(begun.slice(8)).toEqual([8, 9]);
    socket.destroyed = true;
    for (const response of responses.toReversed()) traffic.leave(request, response);
    expect(begun).toHaveLength(10);
  });

  it('are cut off when there are too many', () => {
    const traffic = new Traffic(new TestClock());
    let isCut = false;
    const socket = { destroyed: false, destroy: () => (isCut = true) };
    const request = { socket } as unknown as IncomingMessage;
    for (let count = 0; count < 300; count += 1) {
      const response = { socket } as unknown as ServerResponse;
      traffic.enter(request, response);
      traffic.admit(request, response, () => undefined);
    }
    expect(isCut).toBe(true);
  });
});
