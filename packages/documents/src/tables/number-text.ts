const thousands = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;
const thousandsByDots = /^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/;
const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const commaDecimal = /^[+-]?\d+,\d+$/;
const decoration = /^[\p{Sc}\s]+|[\p{Sc}\s]+$/gu;

/** The number format of a table: with a decimal comma only if one occurs. */
export type DecimalSign = '.' | ',';

/**
 * Parses a number as written by people: with thousands separators, a currency sign or a percent sign (`12 %` is 0.12).
 * Null for anything else. Numbers that would lose digits (card numbers, ids) and those with leading zeros stay text.
 */
export function readNumberText(text: string, decimal: DecimalSign = '.'): number | null {
  const isPercent = text.endsWith('%');
  const core = (isPercent ? text.slice(0, -1) : text).replaceAll(decoration, '').replaceAll(/[\u00a0\u202f ](?=\d{3})/g, '');
  if (core === '' || core.length > 40 || /^[+-]?0\d/.test(core)) return null;
  let digits = core;
  if (decimal === ',' && (thousandsByDots.test(core) || commaDecimal.test(core))) {
    digits = core.replaceAll('.', '').replace(',', '.');
  } else if (thousands.test(core)) digits = core.replaceAll(',', '');
  if (!plain.test(digits)) return null;
  const value = Number(digits);
  const isInteger = /^[+-]?\d+$/.test(digits);
  if (!Number.isFinite(value) || (isInteger && !Number.isSafeInteger(value))) return null;
  return isPercent ? Number((value / 100).toPrecision(15)) : value;
}
