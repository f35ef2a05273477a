import { describe, expect, it } from 'vitest';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { ClaimPace } from './claim-pace.ts';

interface Requests {
  /** Callers who send the next request as soon as the last one is answered. */
  callers: number;
  /** Milliseconds from a request to its answer. */
  waitMs: number;
}

const flood: Requests = { callers: 32, waitMs: 10 };
const noRequests: Requests = { callers: 0, waitMs: 1 };

/** A pace, and the claims of a worker that asks for the next one as soon as it has begun what it claimed. */
class PaceUnderTest {
  readonly clock = new TestClock();
  readonly gauge = new LoadGauge(this.clock);
  readonly pace = new ClaimPace(this.clock, this.gauge);
  readonly claims: { tasks: number; atMs: number }[] = [];
  /** The tasks that this worker runs. */
  readonly running: object[] = [];
  #open: { headersSent: boolean }[] = [];

  /** Lets callers ask for so long. */
  async receive({ callers, waitMs }: Requests, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1) {
      if (passed % waitMs === 0) {
        for (const answer of this.#open) this.gauge.leave(answer);
        this.#open = Array.from({ length: callers }, () => ({ headersSent: false }));
        for (const answer of this.#open) this.gauge.arrive(answer);
      }
      await this.clock.advance(1);
    }
  }

  /** Claims and runs what is claimed, `count` times. */
  async claim(count: number): Promise<void> {
    for (let claim = 0; claim < count; claim += 1) {
      const tasks = await this.pace.giveWay();
      this.claims.push({ tasks, atMs: this.clock.monotonic() });
      for (let task = 0; task < tasks; task += 1) this.#begin();
    }
  }

  end(count: number): void {
    for (const run of this.running.splice(0, count)) this.pace.end(run);
  }

  #begin(): void {
    const run = {};
    this.running.push(run);
    this.pace.begin(run);
  }
}

/** Such a pace while so many requests arrive. */
async function paceDuring(requests: Requests): Promise<PaceUnderTest> {
  const under = new PaceUnderTest();
  await under.receive(requests, 60);
  return under;
}

describe('ClaimPace', () => {
  it.each([
    ['nobody asks', noRequests],
    ['a single caller asks without pause', { callers: 1, waitMs: 1 }],
    ['few callers wait long', { callers: 7, waitMs: 60 }],
  ])('claims many tasks at once while %s', async (_, requests) => {
    const under = await paceDuring(requests);
    expect(under.pace.isFlooded()).toBe(false);
    await under.claim(3);
    expect(under.claims.map(({ tasks }) => tasks)).toEqual([64, 64, 64]);
  });

  it.each([
    ['a fast machine', { callers: 32, waitMs: 1 }],
    ['a slow one, which has answered none of them yet', { callers: 32, waitMs: 1000 }],
  ])('knows a flood on %s', async (_, requests) => {
    expect((await paceDuring(requests)).pace.isFlooded()).toBe(true);
  });

  it('begins one task for each that ends while requests flood the process, and no more than eight at once', async () => {
    const under = await paceDuring(flood);
    const claiming = under.claim(4);
    for (let round = 0; round < 3; round += 1) {
      await under.receive(flood, 20);
      under.end(3);
    }
    await under.receive(flood, 20);
    await claiming;
    expect(under.claims.map(({ tasks }) => tasks)).toEqual([8, 3, 3, 3]);
    expect(under.running).toHaveLength(8);
  });

  it('claims at most every 20 ms then, however fast the tasks are', async () => {
    const under = await paceDuring(flood);
    const claiming = under.claim(6);
    while (under.claims.length < 6) {
      under.end(8);
      await under.receive(flood, 1);
    }
    await claiming;
    const [first] = under.claims;
    expect(under.claims.map(({ tasks, atMs }) => ({ tasks, atMs: atMs - (first?.atMs ?? 0) }))).toEqual(
      [0, 20, 40, 60, 80, 100].map((atMs) => ({ tasks: 8, atMs })),
    );
  });

  it.each([
    ['100 ms', { callers: 32, waitMs: 5 }, 100],
    ['eight times the wait of a request, in which a slow machine gets to its steps', { callers: 32, waitMs: 30 }, 240],
    ['a second, however slow the machine is', { callers: 32, waitMs: 500 }, 1000],
  ])('starves no task: one that has not ended after %s has others begin beside it', async (_, requests, youthMs) => {
    const under = new PaceUnderTest();
    await under.receive(requests, 600);
    const claiming = under.claim(2);
    await under.receive(requests, 1500);
    await claiming;
    const [first, second] = under.claims;
    const apartMs = (second?.atMs ?? 0) - (first?.atMs ?? 0);
    expect(under.running).toHaveLength(16);
    expect(apartMs).toBeGreaterThanOrEqual(youthMs);
    expect(apartMs).toBeLessThan(youthMs + 40);
  });

  it('catches up within 0.15 s when the flood ends', async () => {
    const under = await paceDuring(flood);
    const claiming = under.claim(4);
    await under.receive(flood, 20);
    await under.receive(noRequests, 150);
    await claiming;
    expect(under.claims.at(-1)?.tasks).toBe(64);
  });
});
