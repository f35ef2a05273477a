import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairTurns } from './fair-queue.ts';

describe('turns', () => {
  it('come round the owners, however many one of them has asked for', () => {
    const turns = new FairTurns<string>(1);
    expect(turns.begin('a')).toBe(true);
    for (const item of ['a1', 'a2', 'a3']) turns.wait('a', item);
    turns.wait('b', 'b1');
    expect(turns.next()).toBe('b1');
    expect(turns.next()).toBeUndefined();
    turns.end('a');
    turns.wait('c', 'c1');
    expect(turns.next()).toBe('c1');
    turns.end('b');
    expect(turns.next()).toBe('a1');
  });

  it('leave a place to the others', () => {
    const turns = new FairTurns<string>(1);
    expect(turns.begin('a')).toBe(true);
    expect(turns.begin('a')).toBe(false);
    expect(turns.begin('b')).toBe(true);
  });

  it('that were given up are passed over', () => {
    const turns = new FairTurns<string>(1);
    turns.begin('a');
    turns.wait('a', 'a1');
    turns.wait('a', 'a2');
    turns.leave('a', 'a1');
    turns.end('a');
    expect(turns.next()).toBe('a2');
    expect(turns.isEmpty).toBe(true);
  });

  it('all come, in order for each owner, and never more at once than allowed', () => {
    const asked = fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), ends: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(asked, fc.integer({ min: 1, max: 3 }), (steps, mostEach) => {
        const turns = new FairTurns<{ owner: string; at: number }>(mostEach);
        const running: string[] = [];
        const served = new Map<string, number>();
        const serve = () => {
          for (let item = turns.next(); item; item = turns.next()) {
            expect(item.at).toBeGreaterThan(served.get(item.owner) ?? -1);
            served.set(item.owner, item.at);
            running.push(item.owner);
            expect(running.filter((owner) => owner === item?.owner).length).toBeLessThanOrEqual(mostEach);
          }
        };
        for (const [at, { owner, ends }] of steps.entries()) {
          turns.wait(owner, { owner, at });
          const ended = ends ? running.shift() : undefined;
          if (ended !== undefined) turns.end(ended);
          serve();
        }
        while (running.length > 0) {
          turns.end(running.shift() ?? '');
          serve();
        }
        expect(turns.isEmpty).toBe(true);
      }),
    );
  });
});
