import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutDelta, type Delta, joinDelta, LocalDeltas } from './deltas.ts';
import { anyCharacter } from '../../../../test/support/base/any-character.ts';

it('delivers a delta to the readers of its task until they unsubscribe', () => {
  const deltas = new LocalDeltas();
  const read: [string, Delta][] = [];
  const end = deltas.subscribe('t1', (delta) => read.push(['first', delta]));
  deltas.subscribe('t1', (delta) => read.push(['second', delta]));
  deltas.subscribe('t2', (delta) => read.push(['other', delta]));
  const [one, two] = [
    { step: 1, attempt: 1, text: 'Hel' },
    { step: 1, attempt: 1, text: 'lo' },
  ];
  deltas.publish('t1', one);
  end();
  end();
  deltas.publish('t1', two);
  deltas.publish('t3', two);
  expect(read).toEqual([
    ['first', one],
    ['second', one],
    ['second', two],
  ]);
});

it('joins pieces of one source alone: a file and the output of the call that writes it are two', () => {
  const file = { callId: 'c1', tool: 'write_file', path: 'a.md' };
  const list: Delta[] = [];
  joinDelta(list, { ...file, at: 0, text: 'ab' });
  joinDelta(list, { ...file, at: 2, text: 'c' });
  joinDelta(list, { callId: 'c1', tool: 'write_file', at: 3, text: 'Wrote' });
  expect(list).toEqual([
    { ...file, at: 0, text: 'abc' },
    { callId: 'c1', tool: 'write_file', at: 3, text: 'Wrote' },
  ]);
});

it('splits a piece at character boundaries into parts that state their offsets', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 2, max: 9 }), (text, maxLength) => {
      const parts = cutDelta({ callId: 'c1', tool: 'run_shell', at: 7, text }, maxLength);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      let at = 7;
      for (const part of parts) {
        expect(part).toMatchObject({ at });
        expect(part.text.length).toBeLessThanOrEqual(maxLength);
        expect(part.text.isWellFormed()).toBe(true);
        at += part.text.length;
      }
    }),
  );
});
