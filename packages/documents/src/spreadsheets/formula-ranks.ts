import { type Argument, badNumber, flatten, FormulaError, notFound, single, toNumber, type Value } from './formula-values.ts';

type RankFunction = (parts: readonly Argument[]) => Value;

function listNumbers(values: readonly Value[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

/** The place of a number among those of a list, 1 for the greatest, or with an order the least; equal ones share the first of their places. */
function findRank(isAverage: boolean): RankFunction {
  return ([value, list, order]) => {
    const [number, direction] = [toNumber(single(value)), toNumber(single(order) ?? 0)];
    if (number instanceof FormulaError) return number;
    if (direction instanceof FormulaError) return direction;
    const numbers = listNumbers(flatten([list ?? null]));
    const same = numbers.filter((each) => each === number).length;
    if (same === 0) return notFound;
    const before = numbers.filter((each) => (direction === 0 ? each > number : each < number)).length;
    return before + (isAverage ? (same + 1) / 2 : 1);
  };
}

/** The number that is so many places from the greatest or the least, counted from 1. */
function takeRanked(isLargest: boolean): RankFunction {
  return ([list, place]) => {
    const at = toNumber(single(place));
    if (at instanceof FormulaError) return at;
    const sorted = listNumbers(flatten([list ?? null])).toSorted((a, b) => (isLargest ? b - a : a - b));
    return sorted[Math.ceil(at) - 1] ?? badNumber;
  };
}

/** Functions that order numbers. */
export const rankFunctions: Readonly<Record<string, RankFunction>> = {
  RANK: findRank(false),
  'RANK.EQ': findRank(false),
  'RANK.AVG': findRank(true),
  LARGE: takeRanked(true),
  SMALL: takeRanked(false),
};
