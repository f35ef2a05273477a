import { ErrandError } from '@errand/client';
import { expect, it, vi } from 'vitest';
import { type BrowserInput, InputQueue } from './input-queue.ts';

const click = { do: 'click', x: 1, y: 2 } as const;

/** A queue whose requests are answered by the test. */
class QueueUnderTest {
  readonly sent: BrowserInput[][] = [];
  readonly rests: number[] = [];
  readonly lost: unknown[] = [];
  /** The failures of the next requests. */
  readonly failures: (Error | null)[] = [];
  readonly queue = new InputQueue({
    send: async (inputs) => {
      this.sent.push(inputs);
      const failure = this.failures.shift();
      if (failure) throw failure;
    },
    onLost: (error) => this.lost.push(error),
    rest: (ms) => {
      this.rests.push(ms);
      return new Promise((resolve) => (this.proceed = resolve));
    },
  });
  proceed: () => void = () => undefined;

  /** Ends the rest, and resolves at the next. */
  async next(): Promise<void> {
    const count = this.rests.length;
    this.proceed();
    await vi.waitUntil(() => this.rests.length > count);
  }
}

it('sends in order, one request at a time with a pause between, and joins what is typed and scrolled meanwhile', async () => {
  const under = new QueueUnderTest();
  under.queue.add(click);
  await under.next();
  for (const text of ['a', 'b', 'c']) under.queue.add({ do: 'type', text });
  under.queue.add({ do: 'press', keys: 'Enter' });
  for (const by_y of [10, 20]) under.queue.add({ do: 'scroll', x: 5, y: 5, by_y });
  expect(under.sent).toEqual([[click]]);
  await under.next();
  expect(under.sent[1]).toMatchObject([
    { do: 'type', text: 'abc' },
    { do: 'press', keys: 'Enter' },
    { do: 'scroll', by_y: 30 },
  ]);
  expect(under.rests).toEqual([100, 100]);
});

it('cuts long texts into pieces, and keeps scrolls within what a request may have', async () => {
  const under = new QueueUnderTest();
  const text = `${'a'.repeat(1999)}\u{1F600}${'b'.repeat(2500)}`;
  under.queue.add(click);
  under.queue.add({ do: 'type', text });
  for (const by_y of [3000, 3000]) under.queue.add({ do: 'scroll', x: 5, y: 5, by_x: -9000, by_y });
  await under.next();
  await under.next();
  const typed = under.sent[1]?.flatMap((input) => (input.do === 'type' ? [input.text] : [])) ?? [];
  expect(typed.map(({ length }) => length)).toEqual([1999, 2000, 502]);
  expect(typed.join('')).toBe(text);
  expect(under.sent[1]?.at(-1)).toMatchObject({ do: 'scroll', by_x: -4000, by_y: 4000 });
});

it('repeats what was refused for its number, and reports what is lost', async () => {
  const under = new QueueUnderTest();
  const busy = new ErrandError('too much', { code: 'resource_exhausted', status: 429, retryAfterMs: 700 });
  const gone = new ErrandError('no answer', { code: 'connection' });
  under.failures.push(busy, null, gone);
  under.queue.add(click);
  await under.next();
  expect([under.rests, under.lost]).toEqual([[700], []]);
  await under.next();
  expect(under.sent).toEqual([[click], [click]]);
  under.queue.add({ do: 'type', text: 'x' });
  await under.next();
  expect([under.sent.length, under.lost]).toEqual([3, [gone]]);
});

it('reports when all that was added has been sent, also what came meanwhile', async () => {
  const under = new QueueUnderTest();
  await under.queue.sent;
  under.queue.add(click);
  under.queue.add({ do: 'type', text: 'last words' });
  let seen: BrowserInput[][] | null = null;
  const sent = under.queue.sent.then(() => (seen = [...under.sent]));
  await vi.waitUntil(() => under.rests.length === 1);
  expect(seen).toBeNull();
  await under.next();
  under.proceed();
  await sent;
  expect(seen).toEqual([[click], [{ do: 'type', text: 'last words' }]]);
});
