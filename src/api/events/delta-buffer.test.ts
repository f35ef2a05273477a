import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReplyDelta } from '@errand/base/signals/deltas.ts';
import { DeltaBuffer } from './delta-buffer.ts';

it('joins the pieces of one attempt while nobody takes them, and keeps attempts apart', () => {
  const buffer = new DeltaBuffer();
  const pieces = [
    { step: 1, attempt: 1, text: 'Hel' },
    { step: 1, attempt: 1, text: 'lo' },
    { step: 1, attempt: 2, text: 'Hel' },
    { step: 2, attempt: 1, text: 'x' },
  ];
  for (const piece of pieces) buffer.add(piece);
  expect(buffer.take()).toEqual([
    { step: 1, attempt: 1, text: 'Hello' },
    { step: 1, attempt: 2, text: 'Hel' },
    { step: 2, attempt: 1, text: 'x' },
  ]);
  expect(pieces[0]).toEqual({ step: 1, attempt: 1, text: 'Hel' });
  expect(buffer.take()).toEqual([]);
});

it('joins what a tool writes where nothing is missing in between, and keeps it apart from replies and other calls', () => {
  const buffer = new DeltaBuffer();
  const piece = (callId: string, at: number, text: string) => ({ callId, tool: 'run_shell', at, text });
  for (const one of [piece('c1', 0, 'ab'), piece('c1', 2, 'c'), piece('c1', 0, 'again'), piece('c2', 5, 'x')]) buffer.add(one);
  buffer.add({ step: 1, attempt: 1, text: 'Hel' });
  expect(buffer.take()).toEqual([
    piece('c1', 0, 'abc'),
    piece('c1', 0, 'again'),
    piece('c2', 5, 'x'),
    { step: 1, attempt: 1, text: 'Hel' },
  ]);
});

it('gives up an attempt as a whole rather than with a hole, and holds no more than it may', () => {
  const step = fc.record({ length: fc.integer({ min: 1, max: 90_000 }), isNew: fc.boolean(), isTaken: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (plan) => {
      const buffer = new DeltaBuffer();
      const [sent, got] = [new Map<number, number>(), new Map<number, number>()];
      const gaps = new Set<number>();
      let attempt = 1;
      const take = () => {
        let held = 0;
        for (const delta of buffer.take() as ReplyDelta[]) {
          held += delta.text.length;
          // What arrives of an attempt begins where the last piece ended.
          if (gaps.has(delta.attempt)) expect.unreachable('an attempt went on after it was given up');
          expect(Number(delta.text.slice(0, 8))).toBe(got.get(delta.attempt) ?? 0);
          got.set(delta.attempt, (got.get(delta.attempt) ?? 0) + delta.text.length);
        }
        expect(held).toBeLessThanOrEqual(200_000);
        if ((got.get(attempt) ?? 0) < (sent.get(attempt) ?? 0)) gaps.add(attempt);
      };
      for (const { length, isNew, isTaken } of plan) {
        if (isNew) attempt++;
        const start = sent.get(attempt) ?? 0;
        const text = String(start).padStart(8, '0').padEnd(length, 'x').slice(0, Math.max(8, length));
        buffer.add({ step: 1, attempt, text });
        sent.set(attempt, start + text.length);
        if (isTaken) take();
      }
      take();
    }),
  );
});

it('counts what pieces repeat that cannot be joined, such as the names of two files that are written in turn', () => {
  const buffer = new DeltaBuffer();
  const file = (callId: string, at: number) => ({ callId, tool: 'write_file', at, text: 'x', path: 'p'.repeat(200) });
  for (let at = 0; at < 2_000; at += 1) for (const callId of ['c1', 'c2']) buffer.add(file(callId, at));
  expect(buffer.take().length).toBeLessThan(1_000);
});
