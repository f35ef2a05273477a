import { invalidField } from '@errand/base/fault.ts';

/** A cell by position, from 0; `sheet` is null for the formula's own. */
export interface CellReference {
  sheet: string | null;
  row: number;
  column: number;
}

export type Expression =
  | { type: 'value'; value: number | string | boolean }
  | { type: 'cell'; at: CellReference }
  | { type: 'range'; from: CellReference; to: CellReference }
  | { type: 'call'; name: string; parts: Expression[] }
  /** A name of the workbook, or one that LET gives; in capitals. */
  | { type: 'name'; name: string }
  | { type: 'operation'; sign: string; left: Expression; right: Expression }
  | { type: 'negative' | 'percent'; of: Expression }
  /** An omitted argument. */
  | { type: 'nothing' };

const token =
  /\s*(?:(?<whole>(?:(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?(?:\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d{1,7}:\$?\d{1,7})(?![\p{L}\p{N}_.(]))|(?<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|(?<string>"(?:[^"]|"")*")|(?<cell>(?:(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?\$?[A-Za-z]{1,3}\$?\d{1,7}(?![\p{L}\p{N}_(]))|(?<name>[\p{L}_][\p{L}\p{N}_.]*)|(?<sign><=|>=|<>|[-+*/^&=<>%(),:;]))/uy;

/** Functions that access anything outside the workbook: they would leak its content or start programs. */
const refusedNames =
  /^(WEBSERVICE|FILTERXML|ENCODEURL|RTD|CALL|REGISTER|REGISTER\.ID|HYPERLINK|IMPORT\w*|IMAGE|DDE|EXEC|EVALUATE|SQL\.REQUEST|CUBE\w*|STOCKHISTORY|GOOGLE\w*|INDIRECT)$/;
const longest = 2_000;
const deepest = 60;

interface Token {
  /** `whole`: columns or rows, such as `A:B`. */
  kind: 'whole' | 'number' | 'string' | 'cell' | 'name' | 'sign';
  text: string;
}

function refuse(formula: string, problem: string): never {
  throw invalidField('formula', `${JSON.stringify(formula.slice(0, 80))} ${problem}.`);
}

function listTokens(formula: string): Token[] {
  const tokens: Token[] = [];
  const text = formula.slice(1).trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const found = token.exec(text);
    if (!found)
      refuse(
        formula,
        `cannot be read at ${JSON.stringify(text.slice(start, start + 12))}; use functions, cells such as B2 or Sheet!B2, ranges such as B2:D61, and + - * / ^ & =`,
      );
    const [kind, value] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? ['sign', ''];
    tokens.push({ kind: kind as Token['kind'], text: value ?? '' });
  }
  return tokens;
}

/** Beyond the last row and column of every spreadsheet program. */
export const endlessly = 2 ** 21;

/** Whole columns or rows, such as `Sales!B:D`, which end where the data does. */
function readWhole(text: string): Expression {
  const [, sheet = '', from = '', to = ''] = /^(.*!)?([^:!]+):(.+)$/.exec(text) ?? [];
  const isRows = /\d/.test(to);
  const ends = isRows ? [`A${from}`, `A${to}`] : [`${from}1`, `${to}1`];
  const [first, last] = ends.map((cell) => readCell(sheet + cell.replaceAll('$', '')));
  const end = isRows ? { column: endlessly } : { row: endlessly };
  return { type: 'range', from: first as CellReference, to: { ...(last as CellReference), ...end } };
}

function readCell(text: string): CellReference {
  const bang = text.lastIndexOf('!');
  const name = bang === -1 ? null : text.slice(0, bang);
  const sheet = name?.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
  const [, letters = '', digits = ''] = /^\$?([A-Za-z]+)\$?(\d+)$/.exec(text.slice(bang + 1)) ?? [];
  const column = Array.from(letters.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { sheet, row: Number(digits) - 1, column };
}

const ranks: Record<string, number> = {
  '=': 1,
  '<>': 1,
  '<': 1,
  '>': 1,
  '<=': 1,
  '>=': 1,
  '&': 2,
  '+': 3,
  '-': 3,
  '*': 4,
  '/': 4,
  '^': 6,
};

class Parser {
  readonly #formula: string;
  readonly #tokens: Token[];
  readonly #names: KnownNames;
  #at = 0;
  #depth = 0;
  /** How many calls are open that name their parts themselves. */
  #naming = 0;

  constructor(formula: string, names: KnownNames) {
    this.#formula = formula;
    this.#tokens = listTokens(formula);
    this.#names = names;
  }

  parse(): Expression {
    const expression = this.#parseFrom(0);
    if (this.#at < this.#tokens.length)
      refuse(this.#formula, `has something left over at ${JSON.stringify(this.#tokens[this.#at]?.text)}`);
    return expression;
  }

  #takeSign(sign: string): boolean {
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'sign' || next.text !== sign) return false;
    this.#at++;
    return true;
  }

  #parseFrom(rank: number): Expression {
    if (++this.#depth > deepest) refuse(this.#formula, 'is nested too deeply');
    let left = this.#parseUnary();
    for (;;) {
      const next = this.#tokens[this.#at];
      const own = next?.kind === 'sign' ? ranks[next.text] : undefined;
      if (!next || own === undefined || own <= rank) break;
      this.#at++;
      left = { type: 'operation', sign: next.text, left, right: this.#parseFrom(own) };
    }
    this.#depth--;
    return left;
  }

  #parseUnary(): Expression {
    if (this.#takeSign('-')) return { type: 'negative', of: this.#parseTight() };
    if (this.#takeSign('+')) return this.#parseTight();
    return this.#parsePercent();
  }

  /** The operand of a sign, which binds tighter than everything but a percent sign. */
  #parseTight(): Expression {
    if (++this.#depth > deepest) refuse(this.#formula, 'is nested too deeply');
    const expression = this.#parseUnary();
    this.#depth--;
    return expression;
  }

  #parsePercent(): Expression {
    let expression = this.#parseSingle();
    while (this.#takeSign('%')) expression = { type: 'percent', of: expression };
    return expression;
  }

  #parseSingle(): Expression {
    const next = this.#tokens[this.#at++];
    if (!next) return refuse(this.#formula, 'ends too early');
    switch (next.kind) {
      case 'whole':
        return readWhole(next.text);
      case 'number':
        return { type: 'value', value: Number(next.text) };
      case 'string':
        return { type: 'value', value: next.text.slice(1, -1).replaceAll('""', '"') };
      case 'cell':
        return this.#parseReference(next.text);
      case 'name':
        return this.#parseName(next.text.toUpperCase());
      case 'sign': {
        if (next.text !== '(') return refuse(this.#formula, `has ${JSON.stringify(next.text)} where a value is needed`);
        const inner = this.#parseFrom(0);
        if (!this.#takeSign(')')) refuse(this.#formula, 'lacks a closing bracket');
        return inner;
      }
    }
  }

  #parseReference(text: string): Expression {
    const from = readCell(text);
    if (!this.#takeSign(':')) return { type: 'cell', at: from };
    const next = this.#tokens[this.#at++];
    if (next?.kind !== 'cell') return refuse(this.#formula, 'has a range without an end; write it as A1:B9');
    return { type: 'range', from, to: { ...readCell(next.text), sheet: from.sheet } };
  }

  #parseName(name: string): Expression {
    if (!this.#takeSign('(')) {
      if (name === 'TRUE' || name === 'FALSE') return { type: 'value', value: name === 'TRUE' };
      // LET can give a function another name, by which it would be called.
      this.#refuseOutward(name);
      if (this.#naming > 0 || this.#names.has(name)) return { type: 'name', name };
      return refuse(this.#formula, `uses the name ${name}, which is not known; use cells such as B2`);
    }
    this.#refuseOutward(name);
    const isNaming = name === 'LET' || name === 'LAMBDA';
    if (isNaming) this.#naming++;
    const parts = this.#parseParts();
    if (isNaming) this.#naming--;
    return { type: 'call', name, parts };
  }

  #refuseOutward(name: string): void {
    if (refusedNames.test(name.replace(/^_XLFN\.|^COM\.\w+\./, '')))
      refuse(this.#formula, `uses ${name}, which reaches out of the workbook and is not allowed`);
  }

  #parseParts(): Expression[] {
    const parts: Expression[] = [];
    if (this.#takeSign(')')) return parts;
    do {
      const next = this.#tokens[this.#at];
      const isLeftOut = next?.kind === 'sign' && (next.text === ',' || next.text === ';' || next.text === ')');
      parts.push(isLeftOut ? { type: 'nothing' } : this.#parseFrom(0));
    } while (this.#takeSign(',') || this.#takeSign(';'));
    if (!this.#takeSign(')')) refuse(this.#formula, 'lacks a closing bracket');
    return parts;
  }
}

/** Whether a name, in capitals, is one of the workbook. */
export type KnownNames = Pick<ReadonlySet<string>, 'has'>;
const noNames: KnownNames = new Set();

/**
 * Parses a formula (with its `=`). Throws a Fault for an invalid one, or one that accesses anything outside the workbook.
 * @param names those of the workbook, in capitals
 */
export function parseFormula(formula: string, names: KnownNames = noNames): Expression {
  if (formula.length > longest) refuse(formula, `is longer than ${longest} characters`);
  return new Parser(formula, names).parse();
}
