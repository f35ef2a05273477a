import { writeDateTokens } from './date-text.ts';
import { type FormatOperator, type FormatSection, readFormat } from './format-code.ts';
import { writeNumberTokens } from './cell-number-text.ts';

export interface CellText {
  text: string;
  /** Set by the format, such as `red` for negative numbers. */
  color: string | null;
}

/** Digits shown in a cell without a format; the bar above shows all of them. */
const usualDigits = 10;
const tooWide = '########';

/** A number without a format, as short as possible. */
export function writePlainNumber(value: number, digits = usualDigits): string {
  const short = Number(value.toPrecision(digits));
  const size = Math.abs(short);
  if (size !== 0 && (size >= 1e15 || size < 1e-9)) return short.toExponential().replace('e', 'E');
  return String(short);
}

const compare: Record<FormatOperator, (value: number, limit: number) => boolean> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

/** The format section for a number, and whether to add the sign. */
function chooseSection(
  sections: readonly FormatSection[],
  value: number,
): { section: FormatSection | undefined; isSigned: boolean } {
  const numbers = sections.length > 3 ? sections.slice(0, 3) : sections;
  if (numbers.some(({ condition }) => condition !== null)) {
    const met = numbers.find(({ condition }) => condition && compare[condition.operator](value, condition.limit));
    const section = met ?? numbers.find(({ condition }) => condition === null);
    const limit = met?.condition;
    // A section for negative numbers only contains their sign.
    const saysItself = limit && limit.limit <= 0 && ['<', '<='].includes(limit.operator);
    return { section, isSigned: !saysItself };
  }
  const [first, second, third] = numbers;
  if (value < 0 && second) return { section: second, isSigned: false };
  if (value === 0 && third) return { section: third, isSigned: false };
  return { section: first, isSigned: true };
}

/** A number in the format of its cell. */
export function writeNumber(value: number, code: string): CellText {
  const { section, isSigned } = chooseSection(readFormat(code), value);
  if (!section) return { text: writePlainNumber(value), color: null };
  const { tokens, color } = section;
  const kinds = new Set(tokens.map(({ kind }) => kind));
  if (kinds.has('date') || kinds.has('elapsed')) return { text: writeDateTokens(tokens, value) ?? tooWide, color };
  if (kinds.has('general') || kinds.has('words')) {
    const plain = writePlainNumber(isSigned ? value : Math.abs(value));
    return {
      text: tokens
        .map((token) => (token.kind === 'text' ? token.text : ['general', 'words'].includes(token.kind) ? plain : ''))
        .join(''),
      color,
    };
  }
  const text = writeNumberTokens(tokens, Math.abs(value));
  // A number that rounds to zero is not negative.
  const isNegative = isSigned && value < 0 && /[1-9]/.test(kinds.has('digit') ? text.replace(/"[^"]*"/g, '') : '1');
  return { text: isNegative ? `-${text}` : text, color };
}

/** Text in the format of its cell, which may add other text around it. */
export function writeWords(words: string, code: string): CellText {
  const sections = readFormat(code);
  const section = sections[3] ?? sections.find(({ tokens }) => tokens.some(({ kind }) => kind === 'words'));
  if (!section) return { text: words, color: null };
  const text = section.tokens.map((token) => (token.kind === 'text' ? token.text : token.kind === 'words' ? words : '')).join('');
  return { text, color: section.color };
}
