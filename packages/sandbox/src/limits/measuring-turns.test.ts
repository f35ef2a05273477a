import { describe, expect, it } from 'vitest';
import { MeasuringTurns } from './measuring-turns.ts';

function* takeSteps(steps: number): Generator<void, number> {
  for (let step = 0; step < steps; step++) yield;
  return steps;
}

describe('a slow measurement', () => {
  it('does not delay those of other sandboxes', () => {
    let now = 0;
    const turns = new MeasuringTurns<number>(() => now++);
    const done: number[] = [];
    for (const steps of [1000, 1, 500, 2]) {
      turns.add({ steps: takeSteps(steps), done: (result) => done.push(result), fail: () => undefined });
    }
    for (let turn = 0; turn < 8; turn++) turns.takeTurn();
    expect(done).toEqual([1, 2]);
    while (turns.takeTurn());
    expect(done).toEqual([1, 2, 500, 1000]);
  });

  it('does not affect others if it fails', () => {
    const turns = new MeasuringTurns<number>(() => 0);
    const outcomes: unknown[] = [];
    const settle = { done: (result: number) => outcomes.push(result), fail: (error: unknown) => outcomes.push(String(error)) };
    const broken = (function* (): Generator<void, number> {
      yield;
      throw new Error('gone');
    })();
    turns.add({ steps: broken, ...settle });
    turns.add({ steps: takeSteps(3), ...settle });
    while (turns.takeTurn());
    expect(outcomes).toEqual(['Error: gone', 3]);
  });
});
