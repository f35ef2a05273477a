/** Formulas by cell; a cell is its row and column from 0, such as `1,4`. */
export type SheetFormulas = ReadonlyMap<string, string>;

interface Block {
  shape: string;
  formula: string;
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const mostLines = 40;
const longestFormula = 300;

function nameColumn(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : nameColumn(Math.floor(column / 26) - 1) + last;
}

function numberColumn(name: string): number {
  return Array.from(name.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The shape of a formula: references become distances, so cells with the same computation in their own row or column have equal shapes. */
function shapeOf(formula: string, row: number, column: number): string {
  return formula.replaceAll(
    /(\$?)\b([A-Z]{1,3})(\$?)(\d{1,7})\b/gi,
    (_, fixedColumn: string, name: string, fixedRow: string, number: string) => {
      const x = fixedColumn === '' ? `[${numberColumn(name) - column}]` : name;
      const y = fixedRow === '' ? `[${Number(number) - 1 - row}]` : number;
      return `C${x}R${y}`;
    },
  );
}

/** Cells below one another with the same shape, from left to right. */
function listRuns(formulas: SheetFormulas): Block[] {
  const cells = [...formulas].map(([key, formula]) => {
    const [row = 0, column = 0] = key.split(',').map(Number);
    return { row, column, formula };
  });
  const runs: Block[] = [];
  for (const { row, column, formula } of cells.toSorted((a, b) => a.column - b.column || a.row - b.row)) {
    const shape = shapeOf(formula, row, column);
    const last = runs.at(-1);
    if (last?.left === column && last.bottom === row - 1 && last.shape === shape) last.bottom = row;
    else runs.push({ shape, formula, top: row, bottom: row, left: column, right: column });
  }
  return runs;
}

/** Runs beside one another with the same rows and shape become one block. */
function joinRuns(runs: readonly Block[]): Block[] {
  const blocks = new Map<string, Block>();
  for (const run of runs) {
    const key = [run.top, run.bottom, run.left, run.shape].join(' ');
    const before = blocks.get(key);
    const block = before ?? run;
    if (before) blocks.delete(key);
    block.right = run.right;
    blocks.set([run.top, run.bottom, run.right + 1, run.shape].join(' '), block);
  }
  return [...blocks.values()].toSorted((a, b) => a.top - b.top || a.left - b.left);
}

function describeBlock({ formula, top, bottom, left, right }: Block): string {
  const first = `${nameColumn(left)}${top + 1}`;
  const last = `${nameColumn(right)}${bottom + 1}`;
  const text = formula.length > longestFormula ? `${formula.slice(0, longestFormula).toWellFormed()}…` : formula;
  return `${first === last ? first : `${first}:${last}`} =${text}`;
}

/** What a sheet computes, one line for each block of cells with the formula of its first one; none without formulas. */
export function describeFormulas(formulas: SheetFormulas): string[] {
  const lines = joinRuns(listRuns(formulas)).map(describeBlock);
  if (lines.length === 0) return [];
  const left = lines.length - mostLines;
  return ['Formulas, of the first cell of each range:', ...lines.slice(0, mostLines), ...(left > 0 ? [`and ${left} more`] : [])];
}
