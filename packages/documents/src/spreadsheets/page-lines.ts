import { cleanLine } from '../clean-text.ts';
import type { PageField } from './workbook-spec.ts';

/** The fields of headers and footers in the codes of spreadsheet programs. */
const codes: Readonly<Record<PageField, string>> = { page: '&P', pages: '&N', sheet: '&A', date: '&D' };

function encodeFields(text: string): string {
  return Object.entries(codes).reduce((line, [field, code]) => line.replaceAll(`{${field}}`, code), text.replaceAll('&', '&&'));
}

/**
 * A header or footer in the codes of spreadsheet programs: "left | middle | right", of which missing parts stay empty. Spreadsheet programs
 * read at most 255 characters.
 */
export function encodePageLine(line: string): string {
  return cleanLine(line)
    .split('|')
    .map((text, at) => {
      const part = encodeFields(text.trim());
      if (part === '') return '';
      // A digit right after the size of the font would be taken for part of it.
      return `&${'LCR'[at] ?? ''}&8${/^\d/.test(part) ? ' ' : ''}${part}`;
    })
    .join('');
}
