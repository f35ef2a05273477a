import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import type { MadeFile, GeneratorOutcome, ReadFile, ReportProgress } from '../generator-outcome.ts';
import { serialOf } from './cell-parser.ts';
import { writeCsvSheet } from './csv-sheet.ts';
import { FormulaEngine, type Workbook } from './formula-evaluation.ts';
import { FormulaError } from './formula-values.ts';
import { ProblemList } from '../problem-list.ts';
import { buildSheet } from './sheet-builder.ts';
import type { Expression } from './formula-parser.ts';
import { lastRowOf, nameColumn, type SheetCell, type SheetModel, type SheetTable, type WorkbookModel } from './sheet-model.ts';
import { summarize } from './table-summary.ts';
import { fitColumns, type TableContent, type TableContext, type TablePlace } from './table-builder.ts';
import { nameRanges, readNames } from './workbook-names.ts';
import { readSheetLook } from './sheet-look.ts';
import type { SheetJob, SheetSpec, SummarySpec } from './workbook-spec.ts';

/** The table of a sheet that has a cell. */
function findTable({ tables }: SheetModel, row: number, column: number): SheetTable | undefined {
  return tables.find((table) => {
    const isBeside = column < table.column || column >= table.column + table.columns.length;
    return !isBeside && row >= table.row && row <= table.row + table.rows.length;
  });
}

/** How formulas see the sheets. */
function readableBy(sheets: readonly SheetModel[], names: ReadonlyMap<string, Expression>): Workbook {
  const byName = new Map(sheets.map((sheet) => [sheet.name.toLowerCase(), sheet]));
  return {
    names,
    hasSheet: (name) => byName.has(name.toLowerCase()),
    size(name) {
      const tables = byName.get(name.toLowerCase())?.tables ?? [];
      const ends = tables.map((table) => ({ rows: lastRowOf(table) + 1, columns: table.column + table.columns.length }));
      return { rows: Math.max(0, ...ends.map(({ rows }) => rows)), columns: Math.max(0, ...ends.map(({ columns }) => columns)) };
    },
    read(name, row, column) {
      const sheet = byName.get(name.toLowerCase());
      const table = sheet && findTable(sheet, row, column);
      if (!table) return undefined;
      if (row === table.row) return { value: table.columns[column - table.column]?.header ?? null };
      const cell = table.rows[row - table.row - 1]?.[column - table.column];
      if (!cell) return undefined;
      if (cell.formula !== undefined) return { formula: `=${cell.formula}` };
      return { value: cell.value instanceof Date ? serialOf(cell.value) : cell.value };
    },
  };
}

/** More errors than these have one cause. */
const mostErrors = 8;

function listPlaces(places: readonly string[]): string {
  const more = places.length > mostErrors ? `, and ${places.length - mostErrors} more` : '';
  return `${places.slice(0, mostErrors).join(', ')}${more}`;
}

/** Fills in the results of formulas; returns which only a spreadsheet program can compute, and where the result is an error. */
function computeFormulas(sheets: readonly SheetModel[], names: ReadonlyMap<string, Expression>) {
  const engine = new FormulaEngine(readableBy(sheets, names));
  const left: string[] = [];
  const errors: string[] = [];
  const compute = (sheet: SheetModel, cell: SheetCell, row: number, column: number) => {
    if (cell.formula === undefined) return;
    const value = engine.compute(sheet.name, row, column, { formula: `=${cell.formula}` });
    const place = `${sheet.name}!${nameColumn(column)}${row + 1}`;
    if (value === undefined) left.push(place);
    if (value instanceof FormulaError) errors.push(`${place} is ${value.code}`);
    if (value !== undefined) Object.assign(cell, { value: value instanceof FormulaError ? value.code : value, isComputed: true });
  };
  for (const sheet of sheets) {
    for (const { rows, row: top, column: start } of sheet.tables)
      for (const [y, row] of rows.entries()) for (const [x, cell] of row.entries()) compute(sheet, cell, top + y + 1, start + x);
  }
  return { left, errors };
}

function checkNames(sheets: readonly SheetModel[]): void {
  const names = new Set<string>();
  for (const [at, { name }] of sheets.entries()) {
    if (names.has(name.toLowerCase()))
      throw invalidField(`sheets.${at}.name`, `there are two sheets named ${JSON.stringify(name)}.`);
    names.add(name.toLowerCase());
  }
}

async function writeForm(format: SheetJob['files'][number]['format'], model: WorkbookModel): Promise<Uint8Array> {
  const [first] = model.sheets;
  if (format === 'csv' && first) return writeCsvSheet(first.tables[0]);
  const { writeWorkbook } = await import('./workbook-file.ts');
  return writeWorkbook(model, format === 'ods' ? 'ods' : 'xlsx');
}

/** Thrown when a summary reads formulas over a sheet that is not built yet. */
class UnbuiltSheet extends Error {
  /** Where the sheet is in the workbook. */
  readonly at: number;
  /** What the summary is called in errors. */
  readonly field: string;

  constructor(at: number, field: string) {
    super('a sheet that is not built yet');
    [this.at, this.field] = [at, field];
  }
}

/** Builds every sheet after those that it sums up and those that their formulas read, wherever they are in the workbook. */
class SheetSequence {
  readonly #specs: readonly SheetSpec[];
  readonly #names: ReadonlyMap<string, Expression>;
  readonly #context: TableContext;
  readonly #begun = new Set<SheetSpec>();
  readonly #built = new Map<SheetSpec, SheetModel>();
  readonly #failed = new Set<SheetSpec>();
  readonly #problems = new ProblemList();
  /** What the summaries leave out, by their fields. */
  readonly #leftOut = new Map<string, string>();

  constructor(specs: readonly SheetSpec[], names: ReadonlyMap<string, Expression>, readFile: ReadFile) {
    [this.#specs, this.#names] = [specs, names];
    this.#context = { readFile, names, summarize: (spec, place) => this.#summarize(spec, place) };
  }

  /** All sheets in the order of the workbook. */
  async buildAll(): Promise<SheetModel[]> {
    for (const [at, spec] of this.#specs.entries()) await this.#build(spec, at);
    this.#problems.throwAny();
    return this.#specs.flatMap((spec) => this.#built.get(spec) ?? []);
  }

  /** Which summaries leave rows out, one sentence each. */
  get notes(): string[] {
    return [...this.#leftOut.values()];
  }

  async #build(spec: SheetSpec, at: number): Promise<void> {
    if (this.#begun.has(spec)) return;
    this.#begun.add(spec);
    const sheet = await this.#problems.try(() => this.#buildWithSources(spec, at));
    if (sheet) this.#built.set(spec, sheet);
    else this.#failed.add(spec);
  }

  /** Undefined if something is wrong with a sheet that it needs, which is said once and not again of those that sum it up. */
  async #buildWithSources(spec: SheetSpec, at: number): Promise<SheetModel | undefined> {
    for (const { summary } of [spec, ...(spec.tables ?? [])]) {
      if (summary && !(await this.#buildFirst(this.#findPlace(summary.of)))) return undefined;
    }
    return this.#buildWithFormulas(spec, at);
  }

  async #buildWithFormulas(spec: SheetSpec, at: number): Promise<SheetModel | undefined> {
    try {
      return await buildSheet(spec, at, this.#context);
    } catch (error) {
      if (!(error instanceof UnbuiltSheet)) throw error;
      if (!(await this.#buildFirst(error.at))) return undefined;
      const needed = this.#specs[error.at];
      if (needed && this.#built.has(needed)) return this.#buildWithFormulas(spec, at);
      const name = JSON.stringify(needed?.name);
      throw invalidField(
        `${error.field}.summary`,
        `reads formulas that read ${name}, which is this sheet or needs it first. Give values in place of these formulas.`,
      );
    }
  }

  /** Builds a sheet that another one needs; false if something is wrong with it. */
  async #buildFirst(at: number): Promise<boolean> {
    const spec = this.#specs[at];
    if (!spec) return true;
    await this.#build(spec, at);
    return !this.#failed.has(spec);
  }

  #findPlace(name: string): number {
    return this.#specs.findIndex((spec) => cleanLine(spec.name).toLowerCase() === name.toLowerCase());
  }

  #summarize(spec: SummarySpec, place: TablePlace): TableContent {
    const sheets = [...this.#built.values()];
    const readable = readableBy(sheets, this.#names);
    const hasSheet = (name: string) => {
      const at = this.#findPlace(name);
      if (at >= 0 && !readable.hasSheet(name)) throw new UnbuiltSheet(at, place.field);
      return at >= 0;
    };
    const engine = new FormulaEngine({ ...readable, hasSheet });
    const summary = summarize(spec, sheets, place, (sheet, row, column, { formula = '' }) => {
      return engine.compute(sheet, row, column, { formula: `=${formula}` });
    });
    const rows = summary.leftOut === 1 ? '1 row' : `${summary.leftOut} rows`;
    const keys = [spec.by, ...(spec.across === undefined ? [] : [spec.across])].map((header) => JSON.stringify(header));
    if (summary.leftOut > 0)
      this.#leftOut.set(place.field, `${place.field}.summary leaves out ${rows} without ${keys.join(' or ')}.`);
    return summary;
  }
}

/** Creates one workbook in every requested form. */
export async function makeSheets(
  { files, workbook, nowMs, brand }: SheetJob,
  readFile: ReadFile,
  report: ReportProgress,
): Promise<GeneratorOutcome> {
  const names = readNames(workbook.names);
  const sequence = new SheetSequence(workbook.sheets, names, readFile);
  const sheets = await sequence.buildAll();
  checkNames(sheets);
  report('Computing formulas.');
  const { left, errors } = computeFormulas(sheets, names);
  for (const { tables } of sheets) tables.forEach(fitColumns);
  const { title, author } = workbook;
  const model = {
    title: cleanLine(title),
    author: cleanLine(author),
    madeAt: new Date(nowMs),
    look: await readSheetLook(brand),
    sheets,
    names: nameRanges(names, workbook.names, sheets),
  };
  const made: MadeFile[] = [];
  for (const { path, format } of files) {
    report(`Writing ${path}.`);
    made.push({ path, bytes: await writeForm(format, model) });
  }
  const formats = new Set(files.map(({ format }) => format));
  const hasCharts = sheets.some(({ charts }) => charts.length > 0);
  const notes = [
    ...sequence.notes,
    ...(errors.length > 0 ? [`To mend: ${listPlaces(errors)}.`] : []),
    ...(left.length > 0
      ? [
          `${left.length} formulas have no value yet, until a spreadsheet program opens the file; phones and previews show empty cells: ${listPlaces(left)}.`,
        ]
      : []),
    ...(formats.has('csv') && sheets.length > 1 ? ['The csv file holds the first sheet only.'] : []),
    ...(formats.has('csv') && sheets[0] && sheets[0].tables.length > 1 ? ['The csv file holds the first table only.'] : []),
    ...(hasCharts && formats.has('ods') ? ['The ods file holds no charts.'] : []),
  ];
  return { files: made, notes };
}
