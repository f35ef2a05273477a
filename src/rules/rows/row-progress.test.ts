import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAnswer, type RowAnswer, RowProgress } from './row-progress.ts';
import { describeRowTask, readRowInstruction, renderRow } from './row-prompt.ts';
import { mostRowBytes, type PlacedState } from './row-work.ts';

const answers: fc.Arbitrary<RowAnswer> = fc.oneof(
  fc.record({ kind: fc.constant('done' as const), value: fc.jsonValue() }),
  fc.record({ kind: fc.constantFrom('misfit' as const, 'refused' as const), reason: fc.string() }),
);

describe('the progress of a table', () => {
  it('comes to an end with one result for each row, after at most two answers about each, wherever it is resumed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 20 }),
        fc.array(fc.tuple(answers, fc.boolean()), { minLength: 40, maxLength: 40 }),
        (rows, said) => {
          const stored = new Map<number, PlacedState>();
          const asked = rows.map(() => 0);
          let progress = new RowProgress(rows, []);
          for (let open = progress.listOpen(3); open.length > 0; open = progress.listOpen(3)) {
            const [, isCut] = said[0] ?? [];
            for (const row of open) {
              const [answer = { kind: 'done' as const, value: 1 }] = said.shift() ?? [];
              asked[row.position] = (asked[row.position] ?? 0) + 1;
              const state = { position: row.position, ...classifyAnswer(row, answer) };
              stored.set(row.position, state);
              progress.note(state);
            }
            // Another worker knows what is stored, in any order.
            if (isCut) progress = new RowProgress(rows, [...stored.values()].toReversed());
          }
          expect(progress.listResults()).toHaveLength(rows.length);
          expect(progress.count()).toMatchObject({ rows: rows.length, done: rows.length });
          expect(Math.max(0, ...asked)).toBeLessThanOrEqual(2);
          expect(Math.min(2, ...asked)).toBeGreaterThanOrEqual(rows.length > 0 ? 1 : 2);
        },
      ),
    );
  });

  it('asks once more about a row whose answer did not conform, and says what was wrong', () => {
    const progress = new RowProgress(['a', 'b'], [{ position: 1, state: 'misfit', reason: 'no' }]);
    expect(progress.listOpen()).toEqual([
      { position: 0, text: 'a', mismatch: null },
      { position: 1, text: 'b', mismatch: 'no' },
    ]);
    const misfit = { kind: 'misfit' as const, reason: 'again' };
    expect(classifyAnswer({ mismatch: null }, misfit)).toEqual({ state: 'misfit', reason: 'again' });
    expect(classifyAnswer({ mismatch: 'no' }, misfit)).toEqual({ state: 'failed', reason: 'again' });
  });

  it('gives no model a row that is too long, and ignores states of rows that there are not', () => {
    const states: PlacedState[] = [{ position: 7, state: 'done', value: 1 }];
    const progress = new RowProgress(['x'.repeat(mostRowBytes), 'é'.repeat(mostRowBytes / 2 + 1)], states);
    expect(progress.listOpen().map(({ position }) => position)).toEqual([0]);
    expect(progress.count()).toEqual({ rows: 2, done: 1, failed: 1 });
  });
});

describe('what a model is told about a row', () => {
  it('has the row as JSON, from which nothing can break out, whatever columns are called', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 5 }), fc.array(fc.jsonValue(), { maxLength: 5 }), (columns, cells) => {
        const parsed = JSON.parse(renderRow(columns, cells)) as Record<string, unknown>;
        expect(Object.keys(parsed).toSorted()).toEqual(columns.toSorted());
        for (const [at, column] of columns.entries()) {
          expect(JSON.stringify(Object.getOwnPropertyDescriptor(parsed, column)?.value)).toBe(JSON.stringify(cells[at] ?? null));
        }
      }),
    );
  });

  it('has the instruction where models take instructions from, and nothing of the row', () => {
    const prompt = describeRowTask('Say {{name}}.');
    expect(readRowInstruction(prompt)).toBe('Say {{name}}.');
    expect(readRowInstruction('You extract data.')).toBeNull();
  });
});
