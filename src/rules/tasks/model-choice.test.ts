import { describe, expect, it } from 'vitest';
import { chooseModelAt, rotateModels } from './model-choice.ts';

const names = ['a/first', 'b/second', 'c/third'];
const at = (inUse: { name: string; sinceMs: number } | null, nowMs: number, isFailing = false) =>
  chooseModelAt(names, { inUse, nowMs, isFailing });

describe('the choice of a model', () => {
  it('is the first one, unless another is in use', () => {
    expect([at(null, 0), at({ name: 'c/third', sinceMs: 0 }, 1), at({ name: 'x/removed', sinceMs: 0 }, 1)]).toEqual([0, 2, 0]);
  });

  it('returns to the first one after ten minutes, but not in the middle of a failing step', () => {
    const inUse = { name: 'b/second', sinceMs: 1000 };
    expect([at(inUse, 601_000), at(inUse, 601_001), at(inUse, 601_001, true)]).toEqual([1, 0, 1]);
  });

  it('goes through all models before it pauses', () => {
    const turns = [1, 2, 3, 4, 5, 6].map((attempt) => rotateModels(3, (attempt - 1) % 3, attempt));
    expect(turns.map(({ next }) => next)).toEqual([1, 2, 0, 1, 2, 0]);
    expect(turns.map(({ isRoundOver }) => isRoundOver)).toEqual([false, false, true, false, false, true]);
    expect(turns.map(({ round }) => round)).toEqual([1, 1, 1, 2, 2, 2]);
  });
});
