import type { CellStyle, ConditionalRule, DataValidation, ValidationOperator } from 'hucre';
import { invalidField } from '@errand/base/fault.ts';
import type { SheetLook } from './sheet-look.ts';
import { nameCells, type SheetModel, type SheetTable } from './sheet-model.ts';
import type { MarkSpec } from './workbook-spec.ts';

const signs: Record<string, ValidationOperator> = {
  ...{ '<': 'lessThan', '<=': 'lessThanOrEqual', '>': 'greaterThan', '>=': 'greaterThanOrEqual', '=': 'equal', '<>': 'notEqual' },
};

function markStyle(as: MarkSpec['as'], look: SheetLook): CellStyle {
  if (as === 'bold') return { font: { bold: true } };
  const { ink, tint } = look.marks[as];
  return {
    font: { color: { rgb: ink } },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: tint }, bgColor: { rgb: tint } },
  };
}

/** A number stays one; everything else is a text. */
function writeOperand(text: string): string {
  const clean = text.trim().replace(/^"(.*)"$/, '$1');
  const percent = /^(-?\d+(?:\.\d+)?)\s*%$/.exec(clean);
  if (percent) return String(Number(percent[1]) / 100);
  return clean !== '' && !Number.isNaN(Number(clean)) ? clean : `"${clean.replaceAll('"', '""')}"`;
}

type Rule = Omit<ConditionalRule, 'priority'>;

function readMark({ if: condition, as }: MarkSpec, range: string, look: SheetLook, field: string): Rule {
  const style = markStyle(as, look);
  const between = /^\s*between\s+(\S+)\s+and\s+(\S+)\s*$/i.exec(condition);
  if (between) {
    const formula = [between[1] ?? '', between[2] ?? ''].map(writeOperand);
    return { type: 'cellIs', operator: 'between', formula, style, range };
  }
  const contains = /^\s*contains\s+(.+)$/is.exec(condition);
  if (contains) {
    const text = (contains[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
    const first = range.split(':')[0] ?? range;
    return { type: 'containsText', text, formula: `NOT(ISERROR(SEARCH(${writeOperand(`"${text}"`)},${first})))`, style, range };
  }
  const [, sign = '', operand = ''] = /^\s*(<=|>=|<>|<|>|=)\s*(.+)$/s.exec(condition) ?? [];
  const operator = signs[sign];
  if (!operator)
    throw invalidField(field, `${JSON.stringify(condition)} is no condition. Write it as "< 0", "= late", or "between 1 and 5".`);
  return { type: 'cellIs', operator, formula: writeOperand(operand), style, range };
}

const ends = [{ type: 'min' as const }, { type: 'max' as const }];
const thirds = [0, 33, 67].map((value) => ({ type: 'percent' as const, value: String(value) }));

/** Colors in cells begin with how opaque they are; the library adds that to styles only. */
const opaque = (color: string) => `FF${color}`;

function showNumbers(show: 'bars' | 'scale' | 'arrows', range: string, look: SheetLook): Rule {
  if (show === 'bars')
    return { type: 'dataBar', range, dataBar: { cfvo: [{ type: 'num', value: '0' }, { type: 'max' }], color: opaque(look.bar) } };
  if (show === 'scale')
    return { type: 'colorScale', range, colorScale: { cfvo: ends, colors: ['FFFFFF', look.scale].map(opaque) } };
  return { type: 'iconSet', range, iconSet: { iconSet: '3Arrows', cfvo: thirds } };
}

function listTableRules(table: SheetTable, look: SheetLook, field: string): Rule[] {
  return table.columns.flatMap(({ rules: { show, marks = [] } }, at) => {
    const body = nameCells(table, at);
    // An empty cell below the column would count as 0.
    const hasTotal = table.hasTotals && table.rows.at(-1)?.[at]?.formula !== undefined;
    const whole = hasTotal ? body.replace(/\d+$/, (last) => String(Number(last) + 1)) : body;
    const marked = marks.map((mark, number) => readMark(mark, whole, look, `${field}.columns.${at}.marks.${number}.if`));
    return [...marked, ...(show ? [showNumbers(show, body, look)] : [])];
  });
}

function fieldOf(index: number, at: number): string {
  return at === 0 ? `sheets.${index}` : `sheets.${index}.tables.${at - 1}`;
}

/** What shows or marks the numbers of a sheet. */
export function listRules({ tables }: SheetModel, index: number, look: SheetLook): ConditionalRule[] {
  const rules = tables.flatMap((table, at) => listTableRules(table, look, fieldOf(index, at)));
  return rules.map((rule, at) => ({ ...rule, priority: at + 1 }));
}

function limitNumbers(range: string, min: number | undefined, max: number | undefined): DataValidation {
  const [operator, formula1, formula2]: [ValidationOperator, string, string?] =
    min === undefined
      ? ['lessThanOrEqual', String(max)]
      : max === undefined
        ? ['greaterThanOrEqual', String(min)]
        : ['between', String(min), String(max)];
  const said = min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `from ${min} to ${max}`;
  const message = { showErrorMessage: true, errorTitle: 'Not allowed', errorMessage: `Enter a number ${said}.` };
  return {
    type: 'decimal',
    operator,
    formula1,
    ...(formula2 !== undefined && { formula2 }),
    allowBlank: true,
    ...message,
    range,
  };
}

/** What may be entered in a sheet. */
export function listValidations({ tables }: SheetModel, index: number): DataValidation[] {
  return tables.flatMap((table, number) =>
    table.columns.flatMap(({ rules: { choices, min, max } }, at): DataValidation[] => {
      const range = nameCells(table, at);
      if (choices) {
        // Excel separates them by commas, and takes 255 characters.
        const field = `${fieldOf(index, number)}.columns.${at}.choices`;
        if (choices.some((choice) => /[,"]/.test(choice))) throw invalidField(field, 'must not hold commas or quotation marks.');
        if (choices.join(',').length > 255) throw invalidField(field, 'are longer than 255 characters together.');
        return [{ type: 'list', values: choices, allowBlank: true, showErrorMessage: true, range }];
      }
      return min === undefined && max === undefined ? [] : [limitNumbers(range, min, max)];
    }),
  );
}
