import { invalidField } from '@errand/base/fault.ts';
import { cleanText, escapeMarkup } from '../../clean-text.ts';
import { parseFragment } from '../markup/markup-parser.ts';
import { MarkupElement } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { markFunctions } from '../../spreadsheets/function-prefixes.ts';
import { sheetSpace } from './sheet-space.ts';

/** A value as a model writes it. */
export type GivenValue = string | number | boolean | null;

/** What goes into a cell. Days are counted as sheets do. */
export type CellContent =
  | { kind: 'empty' }
  | { kind: 'number'; value: number }
  | { kind: 'date'; value: number; hasTime: boolean }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'text'; value: string }
  | { kind: 'formula'; value: string };

const longestText = 32_767;
const longestFormula = 8_192;
const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);
const daysTo1904 = 1_462;
const datePattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

function readDate(text: string, countsFrom1904: boolean): CellContent | null {
  const match = datePattern.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  if (new Date(time).toISOString().slice(0, 10) !== text.slice(0, 10) || hour > 23 || minute > 59 || second > 59) return null;
  const value = (time - firstDay) / dayMs - (countsFrom1904 ? daysTo1904 : 0);
  // Before March 1900 programs count the days differently.
  return value >= 61 || countsFrom1904 ? { kind: 'date', value, hasTime: match[4] !== undefined } : null;
}

/** What a value stands for: "=A1+1" is a formula, "2026-03-31" a date, and an apostrophe before either makes it a text. */
export function readContent(given: GivenValue, field: string, countsFrom1904: boolean): CellContent {
  if (given === null || given === '') return { kind: 'empty' };
  if (typeof given === 'number') return { kind: 'number', value: given };
  if (typeof given === 'boolean') return { kind: 'boolean', value: given };
  const text = cleanText(given);
  if (text.startsWith('=') && text.length > 1) {
    if (text.length > longestFormula) throw invalidField(field, `the formula is longer than ${longestFormula} characters.`);
    return { kind: 'formula', value: markFunctions(text.slice(1)) };
  }
  const date = readDate(text, countsFrom1904);
  if (date) return date;
  const value = text.startsWith("'") ? text.slice(1) : text;
  if (value.length > longestText)
    throw invalidField(field, `the text is longer than ${longestText} characters, the most that a cell holds.`);
  return { kind: 'text', value };
}

function writeContent(content: CellContent, s: string): { type: string | null; markup: string } {
  switch (content.kind) {
    case 'empty':
      return { type: null, markup: '' };
    case 'number':
    case 'date':
      return { type: null, markup: `<${s}v>${content.value}</${s}v>` };
    case 'boolean':
      return { type: 'b', markup: `<${s}v>${content.value ? 1 : 0}</${s}v>` };
    case 'text': {
      const keepsSpace = /^\s|\s$|\n/.test(content.value) ? ' xml:space="preserve"' : '';
      return { type: 'inlineStr', markup: `<${s}is><${s}t${keepsSpace}>${escapeMarkup(content.value)}</${s}t></${s}is>` };
    }
    case 'formula':
      return { type: null, markup: `<${s}f>${escapeMarkup(content.value)}</${s}f>` };
  }
}

/** Puts a content into a cell, which keeps its style. */
export function putContent(cell: MarkupElement, content: CellContent): void {
  const { type, markup } = writeContent(content, prefixOf(cell, sheetSpace));
  cell.setAttribute('t', type);
  // What the former value was besides: a rich value, a dynamic array.
  for (const name of ['cm', 'vm']) cell.setAttribute(name, null);
  const kept = cell.children.filter((child) => child instanceof MarkupElement && child.local === 'extLst');
  if (markup === '' && kept.length === 0 && cell.children.length === 0) return;
  cell.replaceChildren([...parseFragment(markup, cell), ...kept]);
}

/** The result that a formula cell shows; null removes it, so that the next program computes it. */
export function putResult(cell: MarkupElement, result: string | number | boolean | null): void {
  const s = prefixOf(cell, sheetSpace);
  const [former] = cell.elements.filter((each) => each.local === 'v');
  const type =
    typeof result === 'boolean' ? 'b' : typeof result === 'string' ? (/^#[A-Z/0!?]+$/.test(result) ? 'e' : 'str') : null;
  cell.setAttribute('t', type);
  const text = typeof result === 'boolean' ? String(Number(result)) : String(result);
  const made = result === null ? [] : parseFragment(`<${s}v>${escapeMarkup(cleanText(text))}</${s}v>`, cell);
  const at = former
    ? cell.children.indexOf(former)
    : cell.children.findIndex((each) => each instanceof MarkupElement && each.local === 'f') + 1;
  const rest = cell.children.filter((child) => child !== former);
  cell.replaceChildren([...rest.slice(0, at), ...made, ...rest.slice(at)]);
}
