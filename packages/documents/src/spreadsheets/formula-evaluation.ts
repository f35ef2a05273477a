import { type CellReference, endlessly, type Expression, parseFormula } from './formula-parser.ts';
import { functions } from './formula-functions.ts';
import {
  type Argument,
  compare,
  divisionByZero,
  FormulaError,
  isTrue,
  notFound,
  single,
  toNumber,
  toText,
  type Value,
} from './formula-values.ts';

/** The content of a cell before computation. */
export type CellSource = { value: Value } | FormulaSource;

interface FormulaSource {
  formula: string;
  /** Written by another program: what cannot be read in it is no mistake, only unknown here. */
  isForeign?: boolean;
}

export interface Workbook {
  /** Undefined for a missing sheet or cell. */
  read(sheet: string, row: number, column: number): CellSource | undefined;
  hasSheet(sheet: string): boolean;
  /** What names stand for, by names in capitals: a cell or a range with its sheet. */
  names?: ReadonlyMap<string, Expression>;
  /** How many rows and columns of a sheet are filled, at most: where whole columns and rows end. Unknown if missing. */
  size?(sheet: string): { rows: number; columns: number };
}

/** Limit of cells read for all formulas together; a small file could otherwise require years of sums. */
const mostReads = 5_000_000;
const largestRange = 1_000_000;
const deepest = 400;

/** Thrown for formulas that only a spreadsheet program can compute. */
class Unknown extends Error {}

const noNames: ReadonlyMap<string, Expression> = new Map();

function readExpression({ formula, isForeign = false }: FormulaSource, names: ReadonlyMap<string, Expression>): Expression {
  try {
    return parseFormula(formula, names);
  } catch (error) {
    throw isForeign ? new Unknown('no formula of this program', { cause: error }) : error;
  }
}

/** Computes the formulas of one workbook, each once. */
export class FormulaEngine {
  readonly #workbook: Workbook;
  readonly #names: ReadonlyMap<string, Expression>;
  readonly #results = new Map<string, Value | Unknown>();
  readonly #open = new Set<string>();
  #reads = 0;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
    this.#names = workbook.names ?? noNames;
  }

  /** The value of a cell's formula; undefined if it cannot be computed here. */
  compute(sheet: string, row: number, column: number, source: FormulaSource): Value | undefined {
    try {
      return this.#cell(sheet, row, column, source);
    } catch (error) {
      if (error instanceof Unknown) return undefined;
      throw error;
    }
  }

  #cell(sheet: string, row: number, column: number, source: CellSource | undefined): Value {
    if (++this.#reads > mostReads) throw new Unknown('too much to compute');
    if (source === undefined) return null;
    if ('value' in source) return source.value;
    const key = `${row},${column},${sheet}`;
    const known = this.#results.get(key);
    if (known instanceof Unknown) throw known;
    if (known !== undefined) return known;
    if (this.#open.has(key) || this.#open.size > deepest) throw new Unknown('a circle, or too long a chain');
    this.#open.add(key);
    try {
      const result = single(this.#evaluate(readExpression(source, this.#names), sheet));
      // A formula that references an empty cell shows 0.
      this.#results.set(key, result ?? 0);
      return result ?? 0;
    } catch (error) {
      if (error instanceof Unknown) this.#results.set(key, error);
      throw error;
    } finally {
      this.#open.delete(key);
    }
  }

  #read({ sheet, row, column }: CellReference, own: string): Value {
    const name = sheet ?? own;
    if (!this.#workbook.hasSheet(name)) return new FormulaError('#REF!');
    return this.#cell(name, row, column, this.#workbook.read(name, row, column));
  }

  #readRange(from: CellReference, to: CellReference, own: string): Value[][] {
    const size = this.#workbook.size?.(from.sheet ?? own);
    const end = (at: number, filled: number | undefined) =>
      at === endlessly && filled !== undefined ? Math.max(filled, 1) - 1 : at;
    const [top, bottom] = [Math.min(from.row, to.row), end(Math.max(from.row, to.row), size?.rows)];
    const [left, right] = [Math.min(from.column, to.column), end(Math.max(from.column, to.column), size?.columns)];
    if ((bottom - top + 1) * (right - left + 1) > largestRange) throw new Unknown('too large a range');
    return Array.from({ length: bottom - top + 1 }, (_, y) =>
      Array.from({ length: right - left + 1 }, (__, x) => this.#read({ sheet: from.sheet, row: top + y, column: left + x }, own)),
    );
  }

  #evaluate(expression: Expression, own: string): Argument {
    switch (expression.type) {
      case 'value':
        return expression.value;
      case 'nothing':
        return null;
      case 'cell':
        return this.#read(expression.at, own);
      case 'range':
        return this.#readRange(expression.from, expression.to, own);
      case 'name': {
        const meant = this.#names.get(expression.name);
        if (!meant) throw new Unknown(`no name ${expression.name}`);
        return this.#evaluate(meant, own);
      }
      case 'negative': {
        const number = toNumber(single(this.#evaluate(expression.of, own)));
        return number instanceof FormulaError ? number : -number;
      }
      case 'percent': {
        const number = toNumber(single(this.#evaluate(expression.of, own)));
        return number instanceof FormulaError ? number : number / 100;
      }
      case 'operation':
        return this.#operate(expression, own);
      case 'call':
        return this.#call(expression, own);
    }
  }

  #operate({ sign, left, right }: Extract<Expression, { type: 'operation' }>, own: string): Value {
    const [a, b] = [single(this.#evaluate(left, own)), single(this.#evaluate(right, own))];
    if (a instanceof FormulaError) return a;
    if (b instanceof FormulaError) return b;
    if (sign === '&') return toText(a) + toText(b);
    const order: Record<string, (n: number) => boolean> = {
      ...{
        '=': (n) => n === 0,
        '<>': (n) => n !== 0,
        '<': (n) => n < 0,
        '>': (n) => n > 0,
        '<=': (n) => n <= 0,
        '>=': (n) => n >= 0,
      },
    };
    const compares = order[sign];
    if (compares) return compares(compare(a, b));
    const [x, y] = [toNumber(a), toNumber(b)];
    if (x instanceof FormulaError) return x;
    if (y instanceof FormulaError) return y;
    if (sign === '/') return y === 0 ? divisionByZero : x / y;
    const result = sign === '+' ? x + y : sign === '-' ? x - y : sign === '*' ? x * y : x ** y;
    // Sums of decimals have binary rounding errors.
    return Number.isFinite(result) ? Number(result.toPrecision(15)) : new FormulaError('#NUM!');
  }

  #call({ name, parts }: Extract<Expression, { type: 'call' }>, own: string): Argument {
    const [first, second, third] = parts;
    if (name === 'IF' && first) {
      const truth = isTrue(single(this.#evaluate(first, own)));
      if (truth instanceof FormulaError) return truth;
      const chosen = truth ? second : third;
      return chosen ? this.#evaluate(chosen, own) : truth;
    }
    if ((name === 'IFERROR' || name === 'IFNA') && first) {
      const value = this.#evaluate(first, own);
      const isCaught = value instanceof FormulaError && (name === 'IFERROR' || value === notFound);
      return isCaught ? (second ? this.#evaluate(second, own) : null) : value;
    }
    const work = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!work) throw new Unknown(`no function ${name}`);
    const result = work(parts.map((part) => this.#evaluate(part, own)));
    return typeof result === 'number' && !Number.isFinite(result) ? new FormulaError('#NUM!') : result;
  }
}
