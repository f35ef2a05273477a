/** Functions that came after the format, which files mark so that older programs keep them. */
const later = new Set([
  ...['ACOT', 'ARABIC', 'BASE', 'CEILING.MATH', 'CONCAT', 'DAYS', 'DECIMAL', 'FLOOR.MATH', 'FORMULATEXT', 'IFNA', 'IFS'],
  ...['ISFORMULA', 'ISOWEEKNUM', 'LET', 'MAXIFS', 'MINIFS', 'NUMBERVALUE', 'PDURATION', 'RRI', 'SHEET', 'SHEETS', 'SWITCH'],
  ...['TEXTAFTER', 'TEXTBEFORE', 'TEXTJOIN', 'UNICHAR', 'UNICODE', 'XLOOKUP', 'XMATCH', 'XOR'],
  ...['NORM.DIST', 'NORM.INV', 'PERCENTILE.INC', 'QUARTILE.INC', 'RANK.AVG', 'RANK.EQ', 'STDEV.P', 'STDEV.S', 'VAR.P', 'VAR.S'],
]);
/** Functions whose result is a list that fills the cells beside the formula, unless another function takes it. */
const lists = new Set([
  ...[
    'BYCOL',
    'BYROW',
    'CHOOSECOLS',
    'CHOOSEROWS',
    'DROP',
    'EXPAND',
    'FILTER',
    'HSTACK',
    'LAMBDA',
    'MAKEARRAY',
    'MAP',
    'RANDARRAY',
  ],
  ...[
    'REDUCE',
    'SCAN',
    'SEQUENCE',
    'SORT',
    'SORTBY',
    'TAKE',
    'TEXTSPLIT',
    'TOCOL',
    'TOROW',
    'UNIQUE',
    'VSTACK',
    'WRAPCOLS',
    'WRAPROWS',
  ],
]);
/** Those that files call by another mark. */
const ofSheets = new Set(['FILTER', 'SORT']);
const mark = '_xlfn.';
const word = /"(?:[^"]|"")*"|'(?:[^']|'')+'|(?<![\p{L}\p{N}_.])([A-Z][A-Z0-9.]*)(?=\()/giu;
/** What `LET` and `LAMBDA` name: words that are neither cells nor functions, nor part of the name of a sheet. */
const variable = /"(?:[^"]|"")*"|'(?:[^']|'')+'|(?<![\p{L}\p{N}_.!$])([\p{L}_][\p{L}\p{N}_.]*)(?![\p{L}\p{N}_.(!])/gu;

/** A formula as files have it. */
export function markFunctions(formula: string): string {
  const names = /\b(?:LET|LAMBDA)\(/i.test(formula) ? listVariables(formula) : new Set<string>();
  const named = formula.replaceAll(variable, (whole: string, name: string | undefined) =>
    name !== undefined && names.has(name.toUpperCase()) ? `_xlpm.${whole}` : whole,
  );
  return named.replaceAll(word, (whole: string, name: string | undefined) => {
    const known = name?.toUpperCase() ?? '';
    if (ofSheets.has(known)) return `${mark}_xlws.${whole}`;
    return later.has(known) || lists.has(known) ? `${mark}${whole}` : whole;
  });
}

/** The names that stand where `LET` and `LAMBDA` give them: before a comma, after a bracket or a comma. */
function listVariables(formula: string): Set<string> {
  const text = formula.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')+'/g, '""');
  const found = text.matchAll(/[(,;]\s*([\p{L}_][\p{L}\p{N}_.]*)\s*(?=[,;])/gu);
  const isCell = /^[A-Za-z]{1,3}\d{1,7}$/;
  return new Set(
    [...found].map(([, name = '']) => name.toUpperCase()).filter((name) => !isCell.test(name) && !/^(TRUE|FALSE)$/.test(name)),
  );
}

/** Whether the result of a formula may fill several cells. */
export function fillsCells(formula: string): boolean {
  const [, outer = ''] = /^([A-Z][A-Z0-9.]*)\(/i.exec(formula) ?? [];
  return (
    lists.has(outer.toUpperCase()) ||
    (outer.toUpperCase() === 'LET' && [...formula.matchAll(word)].some(([, name]) => lists.has(name?.toUpperCase() ?? '')))
  );
}

/** A formula as people write it. */
export function unmarkFunctions(formula: string): string {
  return formula.replaceAll('_xlfn._xlws.', '').replaceAll(mark, '').replaceAll('_xlpm.', '');
}
