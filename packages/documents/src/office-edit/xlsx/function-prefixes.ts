/** Functions that came after the format, which files mark so that older programs keep them. */
const later = new Set([
  ...[
    'ACOT',
    'ARABIC',
    'BASE',
    'CEILING.MATH',
    'CONCAT',
    'DAYS',
    'DECIMAL',
    'FLOOR.MATH',
    'FORMULATEXT',
    'IFNA',
    'IFS',
    'ISFORMULA',
  ],
  ...['ISOWEEKNUM', 'LET', 'MAXIFS', 'MINIFS', 'NUMBERVALUE', 'PDURATION', 'RRI', 'SHEET', 'SHEETS', 'SWITCH', 'TEXTAFTER'],
  ...['TEXTBEFORE', 'TEXTJOIN', 'UNICHAR', 'UNICODE', 'XLOOKUP', 'XMATCH', 'XOR'],
  ...['NORM.DIST', 'NORM.INV', 'PERCENTILE.INC', 'QUARTILE.INC', 'RANK.AVG', 'RANK.EQ', 'STDEV.P', 'STDEV.S', 'VAR.P', 'VAR.S'],
]);
const mark = '_xlfn.';
const word = /"(?:[^"]|"")*"|'(?:[^']|'')+'|(?<![\p{L}\p{N}_.])([A-Z][A-Z0-9.]*)(?=\()/giu;

/** A formula as files have it. */
export function markFunctions(formula: string): string {
  return formula.replaceAll(word, (whole: string, name: string | undefined) =>
    name !== undefined && later.has(name.toUpperCase()) ? `${mark}${whole}` : whole,
  );
}

/** A formula as people write it. */
export function unmarkFunctions(formula: string): string {
  return formula.replaceAll(mark, '');
}
