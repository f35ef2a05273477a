import { type CellText, writeNumber, writePlainNumber, writeWords } from './cell-text.ts';
import { serialOfDate } from './date-text.ts';
import { chooseColors, colorOfFormat, type SheetColor, type SheetLook } from './sheet-look.ts';

/** A cell as displayed; numbers are right-aligned. */
export interface SheetCell {
  text: string;
  isNumber: boolean;
  /** The index of its style in the sheet, if it has one. */
  look?: number;
  /** Formula of the cell, or its full value if the text shows less. */
  source?: string;
}

const longestCell = 500;
const longestSource = 2_000;

export type CellValue = string | number | boolean | Date | null | undefined;

/** The properties of a cell besides its value. */
export interface CellFacts {
  formula?: string;
  style?: {
    numFmt?: string;
    font?: { bold?: boolean; italic?: boolean; color?: SheetColor };
    fill?: { type: string; pattern?: string; fgColor?: SheetColor };
    alignment?: { horizontal?: string };
  };
}

const numberLike = /^[-+]?(\d{1,3}([,.  ]\d{3})+|\d+)?([.,]\d+)?( ?%)?$/;

function showDate(value: Date): string {
  if (Number.isNaN(value.getTime())) return '';
  return value
    .toISOString()
    .replace(/T00:00:00\.000Z$|\.000Z$/, '')
    .replace('T', ' ');
}

function showValue(value: CellValue, format: string | undefined): CellText & { isNumber: boolean } {
  if (value === null || value === undefined) return { text: '', color: null, isNumber: false };
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE', color: null, isNumber: false };
  const number = value instanceof Date ? serialOfDate(value) : value;
  if (typeof number === 'number' && Number.isFinite(number) && format !== undefined) {
    return { ...writeNumber(number, format), isNumber: true };
  }
  if (value instanceof Date) return { text: showDate(value), color: null, isNumber: true };
  if (typeof value === 'number') return { text: writePlainNumber(value), color: null, isNumber: true };
  const text = value.slice(0, longestCell);
  if (format !== undefined && !/^general$/i.test(format)) return { ...writeWords(text, format), isNumber: false };
  return { text, color: null, isNumber: /\d/.test(text) && numberLike.test(text.trim()) };
}

/** The full value, if its cell shows less. */
function describeSource(value: CellValue, formula: string | undefined, text: string): string | undefined {
  if (formula !== undefined && formula !== '') return `=${formula}`.slice(0, longestSource);
  const whole =
    value instanceof Date ? showDate(value) : typeof value === 'number' ? writePlainNumber(value, 15) : String(value ?? '');
  return whole === text || value === null || typeof value === 'boolean' ? undefined : whole.slice(0, longestSource);
}

/** Collects the styles of a sheet, each once. */
export class Looks {
  readonly all: SheetLook[] = [];
  readonly #places = new Map<string, number>();
  readonly #theme: readonly string[];

  constructor(theme: readonly string[]) {
    this.#theme = theme;
  }

  /** The index of a style; undefined for the default one. */
  find({ style }: CellFacts, color: string | null, value: CellValue): number | undefined {
    if (!style && color === null && typeof value !== 'boolean') return undefined;
    const { font, fill, alignment } = style ?? {};
    const isFilled = fill?.type === 'pattern' && fill.pattern === 'solid';
    const shown = chooseColors({ font: font?.color, fill: isFilled ? fill.fgColor : undefined }, this.#theme);
    const { horizontal } = alignment ?? {};
    const align = (['left', 'center', 'right'] as const).find((known) => known === horizontal);
    const look: SheetLook = {
      isBold: font?.bold === true,
      isItalic: font?.italic === true,
      align: align ?? (typeof value === 'boolean' || horizontal === 'centerContinuous' ? 'center' : null),
      fill: shown.fill,
      color: colorOfFormat(color) ?? shown.color,
    };
    const key = JSON.stringify(look);
    if (key === '{"isBold":false,"isItalic":false,"align":null,"fill":null,"color":null}') return undefined;
    const place = this.#places.get(key) ?? this.all.push(look) - 1;
    this.#places.set(key, place);
    return place;
  }
}

/** Converts a cell for display. */
export function presentCell(value: CellValue, facts: CellFacts, looks: Looks): SheetCell {
  const { text, color, isNumber } = showValue(value, facts.style?.numFmt);
  const look = looks.find(facts, color, value);
  const source = describeSource(value, facts.formula, text);
  return { text, isNumber, ...(look !== undefined && { look }), ...(source !== undefined && { source }) };
}
