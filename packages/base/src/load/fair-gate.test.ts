import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairGate } from './fair-gate.ts';

const { signal } = new AbortController();

/** Lets every promise that can settle do so. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks for slots and notes who got in, in order. */
class Crowd {
  readonly entered: string[] = [];
  readonly leave = new Map<string, () => void>();
  readonly #gate: FairGate;

  constructor(gate: FairGate) {
    this.#gate = gate;
  }

  ask(owner: string, name: string, amount?: number): void {
    const enter = async () => {
      const leave = await this.#gate.enter({ owner, signal, ...(amount !== undefined && { amount }) });
      this.entered.push(name);
      this.leave.set(name, leave);
    };
    void enter();
  }

  async end(name: string): Promise<void> {
    this.leave.get(name)?.();
    await settle();
  }
}

describe('a fair gate', () => {
  it('limits each owner to half of the capacity, so that another enters immediately', async () => {
    const crowd = new Crowd(new FairGate({ capacity: 4 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) crowd.ask('a', name);
    crowd.ask('b', 'b1');
    await settle();
    expect(crowd.entered).toEqual(['a1', 'a2', 'b1']);
  });

  it('admits the owner that holds least, then the one that has waited longest', async () => {
    const crowd = new Crowd(new FairGate({ capacity: 2, mostEach: 2 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) crowd.ask('a', name);
    crowd.ask('b', 'b1');
    crowd.ask('c', 'c1');
    await settle();
    for (const name of ['a1', 'b1', 'a2', 'c1']) await crowd.end(name);
    expect(crowd.entered).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('measures by amount, and does not let small requests starve a large one', async () => {
    const crowd = new Crowd(new FairGate({ capacity: 10, mostEach: 10 }));
    crowd.ask('a', 'a6', 6);
    crowd.ask('b', 'b6', 6);
    crowd.ask('c', 'c1', 1);
    await settle();
    expect(crowd.entered).toEqual(['a6']);
    await crowd.end('a6');
    expect(crowd.entered).toEqual(['a6', 'b6', 'c1']);
  });

  it('admits a request that exceeds the share of its owner when that owner holds nothing else', async () => {
    const crowd = new Crowd(new FairGate({ capacity: 10, mostEach: 5 }));
    crowd.ask('a', 'a1', 1);
    crowd.ask('a', 'a99', 99);
    await settle();
    expect(crowd.entered).toEqual(['a1']);
    await crowd.end('a1');
    expect(crowd.entered).toEqual(['a1', 'a99']);
  });

  it('removes a waiting request that is aborted, and releases capacity only once', async () => {
    const gate = new FairGate({ capacity: 1 });
    const leave = await gate.enter({ owner: 'a', signal });
    const impatient = new AbortController();
    const given = gate.enter({ owner: 'b', signal: impatient.signal });
    impatient.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    await expect(gate.enter({ owner: 'b', signal: impatient.signal })).rejects.toThrow('gone');
    leave();
    leave();
    const crowd = new Crowd(gate);
    crowd.ask('c', 'c1');
    crowd.ask('d', 'd1');
    await settle();
    expect(crowd.entered).toEqual(['c1']);
  });

  it('releases capacity however the work ends', async () => {
    const gate = new FairGate({ capacity: 1 });
    await expect(gate.run({ owner: 'a', signal }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await gate.run({ owner: 'a', signal }, () => Promise.resolve('whole'))).toBe('whole');
  });

  it('never exceeds its capacity, in total or per owner, and eventually admits everyone', async () => {
    const asks = fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 1, max: 5 }) }));
    await fc.assert(
      fc.asyncProperty(asks, fc.integer({ min: 5, max: 9 }), async (wanted, capacity) => {
        const gate = new FairGate({ capacity, mostEach: 5 });
        const held = { a: 0, b: 0, c: 0 };
        let done = 0;
        await Promise.all(
          wanted.map(({ owner, amount }) =>
            gate.run({ owner, signal, amount }, async () => {
              held[owner] += amount;
              expect(held[owner]).toBeLessThanOrEqual(5);
              expect(held.a + held.b + held.c).toBeLessThanOrEqual(capacity);
              await Promise.resolve();
              held[owner] -= amount;
              done += 1;
            }),
          ),
        );
        expect(done).toBe(wanted.length);
      }),
      { numRuns: 200 },
    );
  });
});
