// What data.js of a dashboard holds, from a csv file: columns with their kind, and rows.

/** @returns {string[][]} */
function split(text) {
  const [head = ''] = text.split('\n', 1);
  const mark = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0];
  const lines = [[]];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted && sign === '"' && text[at + 1] === '"') cell += text[++at];
    else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted || (sign !== mark && sign !== '\n')) cell += sign;
    else {
      lines.at(-1).push(cell.trim());
      cell = '';
      if (sign === '\n') lines.push([]);
    }
  }
  lines.at(-1).push(cell.trim());
  return lines.filter((line) => line.some((value) => value !== ''));
}

const isNumber = (value) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) && Number.isFinite(Number(value));

/** A day of the calendar: some browsers take 2025-02-30 for one in March, others for none. */
function isDate(value) {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** Codes look like numbers: postcodes begin with zeros, phone numbers with a plus, and orders have more digits than a number keeps. */
const isCode = (value) =>
  /^0\d|^\+\d{7,}$/.test(value) || (/^[-+]?\d+\.?\d*$/.test(value) && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER);

function kindOf(values) {
  const filled = values.filter((value) => value !== '');
  if (filled.length === 0) return 'text';
  if (filled.every(isDate)) return 'date';
  return filled.every(isNumber) && !filled.some(isCode) ? 'number' : 'text';
}

/** @returns {{columns: {name: string, kind: string}[], rows: (string | number | null)[][]}} */
export function readTable(text) {
  const [head = [], ...lines] = split(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const columns = head.map((name, at) => ({
    name: name || `Column ${at + 1}`,
    kind: kindOf(lines.map((line) => line[at] ?? '')),
  }));
  const read = (value, kind) => (kind === 'text' ? value : value === '' ? null : kind === 'number' ? Number(value) : value);
  return { columns, rows: lines.map((line) => columns.map(({ kind }, at) => read(line[at] ?? '', kind))) };
}

/** A script, because a page of a folder may not read files beside it. */
export function writeData({ columns, rows }) {
  // As JSON within a script: the end of a script, and lines that only JSON allows, are written as codes.
  const json = (value) =>
    JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `// Dates are yyyy-mm-dd, empty numbers and dates are null.\nconst data = {\n  columns: ${json(columns)},\n  rows: [\n${rows.map((row) => `    ${json(row)},`).join('\n')}\n  ],\n};\n`;
}
