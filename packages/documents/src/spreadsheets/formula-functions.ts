import {
  type Argument,
  badNumber,
  compare,
  divisionByZero,
  flatten,
  FormulaError,
  isTrue,
  notFound,
  single,
  toNumber,
  toText,
  type Value,
  wrongValue,
} from './formula-values.ts';
import { addMonths, dateOf, dateSerial, endOfMonth } from './formula-dates.ts';
import { rankFunctions } from './formula-ranks.ts';

type Function = (parts: readonly Argument[]) => Value;

/** Ranges contribute their numbers but not their texts; the first error is the result. */
function withNumbers(work: (numbers: readonly number[]) => Value): Function {
  return (parts) => {
    const values = flatten(parts);
    const error = values.find((value) => value instanceof FormulaError);
    return error ?? work(values.filter((value) => typeof value === 'number'));
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

function mean(numbers: readonly number[]): Value {
  return numbers.length === 0 ? divisionByZero : sum(numbers) / numbers.length;
}

function median(numbers: readonly number[]): Value {
  if (numbers.length === 0) return badNumber;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function deviation(numbers: readonly number[], isSample: boolean): Value {
  const count = numbers.length - (isSample ? 1 : 0);
  if (count < 1) return divisionByZero;
  const middle = sum(numbers) / numbers.length;
  return Math.sqrt(numbers.reduce((total, value) => total + (value - middle) ** 2, 0) / count);
}

/** A function of numbers, each passed separately. */
function ofNumbers(work: (...numbers: number[]) => number): Function {
  return (parts) => {
    const numbers: number[] = [];
    for (const part of parts) {
      const number = toNumber(single(part));
      if (number instanceof FormulaError) return number;
      numbers.push(number);
    }
    const result = work(...numbers);
    return Number.isFinite(result) ? result : badNumber;
  };
}

function ofTexts(work: (...texts: string[]) => Value): Function {
  return (parts) => {
    const values = flatten(parts);
    return values.find((value) => value instanceof FormulaError) ?? work(...values.map(toText));
  };
}

function roundBy(round: (value: number) => number) {
  return (value = 0, digits = 0) => {
    const scale = 10 ** Math.trunc(digits);
    // In decimal form, so that 1.005 is rounded as written.
    const size = Number((Math.abs(value) * scale).toPrecision(15));
    return (Math.sign(value) * round(size)) / scale;
  };
}

/** The condition of a criterion such as ">=5" or "A*". */
function readCriterion(criterion: Value): (value: Value) => boolean {
  const [, sign = '=', rest = ''] = /^(<=|>=|<>|<|>|=)?([\s\S]*)$/.exec(toText(criterion)) ?? [];
  const number = rest.trim() === '' ? Number.NaN : Number(rest);
  const wanted: Value = Number.isNaN(number) ? rest : number;
  if (typeof wanted === 'string' && /[*?]/.test(wanted) && (sign === '=' || sign === '<>')) {
    return (value) => matchesPattern(toText(value).toLowerCase(), wanted.toLowerCase()) === (sign === '=');
  }
  return (value) => {
    if (typeof wanted === 'number' && typeof value !== 'number') return sign === '<>';
    const order = compare(value, wanted);
    const answers: Record<string, boolean> = { '=': order === 0, '<>': order !== 0, '<': order < 0, '>': order > 0 };
    return answers[sign] ?? (sign === '<=' ? order <= 0 : order >= 0);
  };
}

/** `*` for any text, `?` for one character; backtracks at most to the last star, so that it ends quickly. */
function matchesPattern(text: string, pattern: string): boolean {
  let [at, wanted, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[wanted] === '?' || (pattern[wanted] !== '*' && pattern[wanted] === text[at])) {
      at++;
      wanted++;
    } else if (pattern[wanted] === '*') {
      star = wanted++;
      mark = at;
    } else if (star !== -1) {
      wanted = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[wanted] === '*') wanted++;
  return wanted === pattern.length;
}

/** Numbers of the last range at positions that meet every criterion: pairs of range and criterion from `first` on. */
function pick(parts: readonly Argument[], target: Argument | undefined, first: number): Value[] {
  const values = flatten([target ?? null]);
  const tests: boolean[][] = [];
  for (let at = first; at + 1 < parts.length; at += 2) {
    const holds = readCriterion(single(parts[at + 1]));
    tests.push(flatten([parts[at] ?? null]).map(holds));
  }
  return values.filter((_, at) => tests.every((test) => test[at] === true));
}

function numbersOf(values: readonly Value[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

function lookUp([wanted, table, column, isSorted]: readonly Argument[]): Value {
  const rows = Array.isArray(table) ? table : [];
  const at = toNumber(single(column));
  if (at instanceof FormulaError) return at;
  const key = single(wanted);
  const isNear = isSorted === undefined || isTrue(single(isSorted)) === true;
  const exact = rows.find(([first]) => first !== undefined && compare(first, key) === 0);
  const near = isNear ? rows.findLast(([first]) => first !== undefined && first !== null && compare(first, key) <= 0) : undefined;
  return (exact ?? near)?.[at - 1] ?? notFound;
}

function takeIndex([table, row, column]: readonly Argument[]): Value {
  const rows = Array.isArray(table) ? table : [[table ?? null]];
  const [y, x] = [toNumber(single(row)), toNumber(single(column) ?? 1)];
  if (y instanceof FormulaError || x instanceof FormulaError) return wrongValue;
  const isOneRow = rows.length === 1 && column === undefined;
  return (isOneRow ? rows[0]?.[y - 1] : rows[y - 1]?.[Math.max(x, 1) - 1]) ?? null;
}

function findMatch([wanted, list]: readonly Argument[]): Value {
  const at = flatten([list ?? null]).findIndex((value) => compare(value, single(wanted)) === 0);
  return at === -1 ? notFound : at + 1;
}

function combine(isDone: boolean): Function {
  return (parts) => {
    for (const value of flatten(parts)) {
      if (value === null || typeof value === 'string') continue;
      const truth = isTrue(value);
      if (truth instanceof FormulaError) return truth;
      if (truth === isDone) return isDone;
    }
    return !isDone;
  };
}

/** Functions computed here; spreadsheet programs compute all others when they open the file. */
export const functions: Readonly<Record<string, Function>> = {
  SUM: withNumbers(sum),
  AVERAGE: withNumbers(mean),
  MIN: withNumbers((numbers) => numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0)),
  MAX: withNumbers((numbers) => numbers.reduce((a, b) => Math.max(a, b), numbers[0] ?? 0)),
  MEDIAN: withNumbers(median),
  PRODUCT: withNumbers((numbers) => numbers.reduce((a, b) => a * b, 1)),
  STDEV: withNumbers((numbers) => deviation(numbers, true)),
  'STDEV.S': withNumbers((numbers) => deviation(numbers, true)),
  'STDEV.P': withNumbers((numbers) => deviation(numbers, false)),
  ...rankFunctions,
  COUNT: (parts) => numbersOf(flatten(parts)).length,
  COUNTA: (parts) => flatten(parts).filter((value) => value !== null && value !== '').length,
  COUNTBLANK: (parts) => flatten(parts).filter((value) => value === null || value === '').length,
  SUMPRODUCT: (parts) => {
    const lists = parts.map((part) => flatten([part]).map((value) => (typeof value === 'number' ? value : 0)));
    return (lists[0] ?? []).reduce((total, _, at) => total + lists.reduce((product, list) => product * (list[at] ?? 0), 1), 0);
  },
  SUMIF: (parts) => sum(numbersOf(pick(parts.slice(0, 2), parts[2] ?? parts[0], 0))),
  COUNTIF: (parts) => pick(parts, parts[0], 0).length,
  AVERAGEIF: (parts) => mean(numbersOf(pick(parts.slice(0, 2), parts[2] ?? parts[0], 0))),
  SUMIFS: (parts) => sum(numbersOf(pick(parts, parts[0], 1))),
  COUNTIFS: (parts) => pick(parts, parts[0], 0).length,
  AVERAGEIFS: (parts) => mean(numbersOf(pick(parts, parts[0], 1))),
  ABS: ofNumbers((value = 0) => Math.abs(value)),
  INT: ofNumbers((value = 0) => Math.floor(value)),
  SQRT: ofNumbers((value = 0) => Math.sqrt(value)),
  EXP: ofNumbers((value = 0) => Math.exp(value)),
  LN: ofNumbers((value = 0) => Math.log(value)),
  LOG10: ofNumbers((value = 0) => Math.log10(value)),
  POWER: ofNumbers((base = 0, exponent = 0) => base ** exponent),
  MOD: ofNumbers((value = 0, by = 0) => value - by * Math.floor(value / by)),
  SIGN: ofNumbers((value = 0) => Math.sign(value)),
  ROUND: ofNumbers(roundBy(Math.round)),
  ROUNDUP: ofNumbers(roundBy(Math.ceil)),
  ROUNDDOWN: ofNumbers(roundBy(Math.floor)),
  AND: combine(false),
  OR: combine(true),
  NOT: ([part]) => {
    const truth = isTrue(single(part));
    return truth instanceof FormulaError ? truth : !truth;
  },
  DATE: ofNumbers(dateSerial),
  YEAR: ofNumbers((serial) => dateOf(serial).getUTCFullYear()),
  MONTH: ofNumbers((serial) => dateOf(serial).getUTCMonth() + 1),
  DAY: ofNumbers((serial) => dateOf(serial).getUTCDate()),
  EDATE: ofNumbers(addMonths),
  EOMONTH: ofNumbers(endOfMonth),
  LEN: ofTexts((text = '') => text.length),
  UPPER: ofTexts((text = '') => text.toUpperCase()),
  LOWER: ofTexts((text = '') => text.toLowerCase()),
  TRIM: ofTexts((text = '') => text.trim().replaceAll(/ +/g, ' ')),
  CONCATENATE: ofTexts((...texts) => texts.join('')),
  CONCAT: ofTexts((...texts) => texts.join('')),
  LEFT: ofTexts((text = '', count = '1') => text.slice(0, Number(count))),
  RIGHT: ofTexts((text = '', count = '1') => (Number(count) > 0 ? text.slice(-Number(count)) : '')),
  MID: ofTexts((text = '', start = '1', count = '0') => text.slice(Number(start) - 1, Number(start) - 1 + Number(count))),
  VLOOKUP: lookUp,
  INDEX: takeIndex,
  MATCH: findMatch,
  ISBLANK: ([part]) => single(part) === null,
  ISNUMBER: ([part]) => typeof single(part) === 'number',
};
