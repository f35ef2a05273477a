import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RecipeField, readValues } from './recipe.ts';

const fields: RecipeField[] = [
  { name: 'topic', type: 'text', required: true },
  { name: 'tone', type: 'choice', required: false, choices: ['kind', 'plain'] },
  { name: 'day', type: 'date', required: false },
  { name: 'paper', type: 'file', required: false },
];
const problem = (values: Record<string, unknown>) => {
  try {
    readValues(fields, values);
    return null;
  } catch (error) {
    return (error as { param?: string }).param;
  }
};

describe('the values of a form', () => {
  it('are those of its fields, empty where one is left out', () => {
    const values = readValues(fields, { topic: 'Tea', tone: null, day: '2028-02-29' });
    expect(Object.fromEntries(values)).toEqual({ topic: 'Tea', tone: '', day: '2028-02-29', paper: '' });
  });

  it.each([
    [{}, 'values.topic'],
    [{ topic: '' }, 'values.topic'],
    [{ topic: 5 }, 'values.topic'],
    [{ topic: 'x'.repeat(50_001) }, 'values.topic'],
    [{ topic: 'x', tone: 'rude' }, 'values.tone'],
    [{ topic: 'x', day: '2027-02-29' }, 'values.day'],
    [{ topic: 'x', day: '1.2.2027' }, 'values.day'],
    [{ topic: 'x', paper: 'paper.pdf' }, 'values.paper'],
    [{ topic: 'x', other: 'y' }, 'values.other'],
    [{ topic: 'x', constructor: 'y' }, 'values.constructor'],
  ])('are refused if they are %j', (values, param) => {
    expect(problem(values)).toBe(param);
  });

  it('have every day of the calendar, and no other date', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(problem({ topic: 'x', day: date.toISOString().slice(0, 10) })).toBeNull();
      }),
    );
    for (const day of ['2027-00-10', '2027-13-01', '2027-04-31', '2027-1-1', '2027-01-01T00:00']) {
      expect(problem({ topic: 'x', day })).toBe('values.day');
    }
  });
});
