import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { NothingListens } from '../egress/nothing-listens.ts';
import type { ProcessEnd } from './sandbox-process.ts';
import { PortBridge } from './port-bridge.ts';

let folder: string;
let clock: TestClock;
let bridge: PortBridge;
/** What the program in the sandbox has been asked for, of which the tests answer what they like. */
let calls: string[];
let end: (how: ProcessEnd) => void;
let ways: Socket[];

beforeEach(async () => {
  folder = createFolder('bridge');
  clock = new TestClock();
  [calls, ways] = [[], []];
  const ended = new Promise<ProcessEnd>((resolve) => (end = resolve));
  const write = (line: string | Uint8Array) => void calls.push(String(line).split(' ')[0] ?? '');
  bridge = await PortBridge.open({ start: () => Promise.resolve({ ended, hasEnded: false, write }) }, folder, clock);
});

afterEach(() => {
  end({ exitCode: 0, left: 0 });
  for (const way of ways) way.destroy();
  removeFolder(folder);
});

/** Answers a call as the program in the sandbox does. */
function answer(call: string, word = '+'): Socket {
  const [name = ''] = readdirSync(folder);
  const way = connect({ path: join(folder, name), allowHalfOpen: true });
  ways.push(way);
  way.on('error', () => undefined).resume();
  way.write(`${call}${word}\n`);
  return way;
}

const silent = async (connecting: Promise<Socket>) =>
  connecting.then(
    () => 'connected',
    (error: unknown) => (error instanceof NothingListens ? error.message : error),
  );

describe('the way to the ports of a persistent sandbox', () => {
  it('gives up a call that its program does not answer, and closes what comes for it later', async () => {
    const outcome = silent(bridge.connect(8123));
    await clock.advance(4_999);
    expect(clock.timerCount).toBe(1);
    await clock.advance(1);
    expect(await outcome).toMatch(/answers at port 8123/);
    const late = answer(calls[0] ?? '');
    await once(late, 'end');
    const connecting = bridge.connect(8123);
    answer(calls[1] ?? '');
    expect((await connecting).destroyed).toBe(false);
    expect(clock.timerCount).toBe(0);
  });

  it('takes at most 64 calls and connections together, and more as soon as some have ended', async () => {
    const connecting = bridge.connect(80);
    answer(calls[0] ?? '');
    const open = await connecting;
    const pending = Array.from({ length: 63 }, () => silent(bridge.connect(80)));
    expect(await silent(bridge.connect(80))).toMatch(/too many connections/);
    expect(calls).toHaveLength(64);
    open.destroy();
    await once(open, 'close');
    const next = bridge.connect(80);
    answer(calls[64] ?? '');
    await next;
    await clock.advance(5_000);
    expect(new Set(await Promise.all(pending)).size).toBe(1);
    expect(clock.timerCount).toBe(0);
  });

  it('leaves no call open when its program ends', async () => {
    const outcome = silent(bridge.connect(80));
    end({ lost: 'closed' });
    expect(await outcome).toMatch(/answers at port 80/);
    expect(clock.timerCount).toBe(0);
  });
});
