import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, eventSeq, firstIdAt, isId, newApiKey, newId, newRequestId, randomBase62 } from './ids.ts';

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const sequences = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('newId', () => {
  it('is 22 characters of base62 at any time', () => {
    fc.assert(
      fc.property(times, (at) => {
        expect(newId(at)).toMatch(/^[0-9A-Za-z]{22}$/);
      }),
    );
  });

  it('sorts by the millisecond of its creation', () => {
    fc.assert(
      fc.property(times, times, (one, other) => {
        fc.pre(one !== other);
        expect(newId(one) < newId(other)).toBe(one < other);
      }),
    );
  });

  it('is never repeated, even across refills of the random pool', () => {
    const ids = Array.from({ length: 5000 }, () => newId(1));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('firstIdAt', () => {
  it('sorts before the ids of its millisecond and after all earlier ones', () => {
    for (const at of [1, 1_700_000_000_000, 2 ** 48 - 1]) {
      expect(newId(at) > firstIdAt(at)).toBe(true);
      expect(newId(at - 1) < firstIdAt(at)).toBe(true);
    }
    expect(firstIdAt(-5)).toBe('0'.repeat(22));
    expect(firstIdAt(1e15)).toBe(firstIdAt(2 ** 48 - 1));
  });
});

describe('credentials', () => {
  it('are spread evenly over the alphabet', () => {
    const counts = new Map<string, number>();
    for (const char of randomBase62(62_000)) counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // Seven standard deviations around 1,000; a modulo bias would put 25 % more on eight of the characters.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(225);
  });

  it('have their documented formats', () => {
    expect(newApiKey()).toMatch(/^sk-[0-9A-Za-z]{43}$/);
    expect(newRequestId(1)).toMatch(/^req_[0-9A-Za-z]{22}$/);
  });
});

describe('event ids', () => {
  const taskId = newId(1);

  it('return the sequence number they were created from', () => {
    fc.assert(
      fc.property(sequences, times, (seq, at) => {
        const id = eventId(taskId, seq, at);
        expect(isId(id)).toBe(true);
        expect(eventSeq(taskId, id)).toBe(seq);
      }),
    );
  });

  it('sort in log order', () => {
    fc.assert(
      fc.property(sequences, times, fc.integer({ min: 1, max: 1e6 }), (seq, at, later) => {
        fc.pre(at + later < 2 ** 48);
        expect(eventId(taskId, seq, at) < eventId(taskId, Math.min(seq + 1, 2 ** 32 - 1), at + later)).toBe(true);
      }),
    );
  });

  it('are the same each time they are computed', () => {
    expect(eventId(taskId, 7, 1000)).toBe(eventId(taskId, 7, 1000));
  });

  it('of another task are rejected, even after thousands of tasks', () => {
    for (let count = 0; count < 5000; count += 1) {
      const other = newId(count);
      expect(eventSeq(taskId, eventId(other, 3, 1000))).toBeNull();
      expect(eventSeq(other, eventId(other, 3, 1000))).toBe(3);
    }
    expect(eventSeq(taskId, eventId(taskId, 3, 1000))).toBe(3);
  });

  it('are distinguishable from IDs of any other kind', () => {
    fc.assert(
      fc.property(times, (at) => {
        expect(eventSeq(taskId, newId(at))).toBeNull();
      }),
    );
    const id = eventId(taskId, 3, 1000);
    for (const wrong of ['', id.slice(1), `${id}0`, `${id.slice(0, -1)}-`, `${id.slice(0, -1)}\n`, 'evt_abc123', '%00']) {
      expect(eventSeq(taskId, wrong)).toBeNull();
    }
  });

  it('that were modified are rejected, including values beyond 128 bits', () => {
    const id = eventId(taskId, 3, 1000);
    // The same low bits, 2^128 higher and with other version bits: a number that no event id has.
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const toNumber = (text: string) => text.split('').reduce((sum, char) => sum * 62n + BigInt(alphabet.indexOf(char)), 0n);
    const toText = (value: bigint) => {
      let [rest, text] = [value, ''];
      for (let digit = 0; digit < 22; digit += 1) {
        text = alphabet.charAt(Number(rest % 62n)) + text;
        rest /= 62n;
      }
      return text;
    };
    expect(toText(toNumber(id))).toBe(id);
    for (const bit of [128n, 66n, 76n, 63n]) expect(eventSeq(taskId, toText(toNumber(id) ^ (1n << bit)))).toBeNull();
  });
});
