import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from 'docx';
import { zipSync } from 'fflate';
import { writeOds } from 'hucre/ods';
import { type Cell, writeXlsx } from 'hucre/xlsx';
import pptxgen from 'pptxgenjs';
import type { SampleFile } from './web-under-test.ts';
import { makeWave } from './wave-file.ts';

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const text = (filename: string, content: string, type = 'text/plain'): SampleFile => ({ filename, type, content });

/** A second of a tone, as a sound file. */
const makeTone = () => makeWave(1, (second) => Math.sin(second * 2 * Math.PI * 440));

/** A Word document that says `words` in a heading, a paragraph and a table. */
export async function makeWordFile(words: string): Promise<Uint8Array> {
  const cell = (value: string) => new TableCell({ children: [new Paragraph(value)] });
  const document = new Document({
    sections: [
      {
        children: [
          new Paragraph({ text: words, heading: HeadingLevel.HEADING_1 }),
          new Paragraph({ children: [new TextRun('The first paragraph is '), new TextRun({ text: 'bold', bold: true })] }),
          new Table({
            rows: [
              new TableRow({ children: [cell('Quarter'), cell('Sales')] }),
              new TableRow({ children: [cell('Q1'), cell(words)] }),
            ],
          }),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}

/** A workbook of two sheets; the first has `rows` rows. */
function makeWorkbook(words: string, rows = 200): Promise<Uint8Array> {
  const lines = Array.from({ length: rows }, (_, row) => [`Item ${row + 1}`, row * 1.5, row % 2 === 0]);
  return writeXlsx({
    sheets: [
      { name: 'Sales', rows: [['Name', 'Price', 'Sold'], ...lines] },
      { name: 'Notes', rows: [[words]] },
    ],
  });
}

/** A workbook that looks like one that people make: a title over all columns, formats, formulas, colours, and a chart. */
function makeBudget(): Promise<Uint8Array> {
  const head = {
    font: { bold: true, color: { rgb: 'FFFFFF' } },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: '2F5D50' } },
  } as const;
  const money = '"$"#,##0.00;[Red]("$"#,##0.00)';
  const names = ['Harbour fees', 'Storage', 'Repairs', 'Refunds', 'Insurance'];
  const rows = [
    ['Budget 2026', null, null, null],
    ['Item', 'Amount', 'Share', 'Due'],
    ...names.map((name, at) => [name, at === 3 ? -310.5 : 1234.5 * (at + 1), 0.07 * (at + 1), new Date(Date.UTC(2026, at, 15))]),
    ['Total', 17_967.75, null, null],
  ];
  const cells = new Map<string, Partial<Cell>>([['0,0', { style: { ...head, alignment: { horizontal: 'center' } } }]]);
  for (let column = 0; column < 4; column++) cells.set(`1,${column}`, { style: head });
  for (let row = 2; row < 7; row++) {
    cells.set(`${row},1`, { style: { numFmt: money } });
    cells.set(`${row},2`, { style: { numFmt: '0.0%' } });
    cells.set(`${row},3`, { style: { numFmt: 'd mmm yyyy' } });
  }
  cells.set('7,1', { formula: 'SUM(B3:B7)', formulaResult: 17_967.75, style: { numFmt: money, font: { bold: true } } });
  return writeXlsx({
    sheets: [
      {
        name: 'Budget',
        rows,
        cells,
        columns: [{ width: 22 }, { width: 14 }, { width: 9 }, { width: 13 }],
        merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 3 }],
        freezePane: { rows: 2, columns: 1 },
        charts: [{ type: 'bar', series: [{ name: 'Amount', values: 'Budget!$B$3:$B$7' }], anchor: { from: { row: 9, col: 0 } } }],
      },
    ],
  });
}

const Deck = 'default' in pptxgen ? pptxgen.default : (pptxgen as unknown as typeof import('pptxgenjs').default);

/** A presentation with a slide, a picture and notes for each of these words. */
export async function makePresentation(words: readonly string[]): Promise<Uint8Array> {
  const deck = new Deck();
  for (const title of words) {
    const slide = deck.addSlide();
    slide.background = { color: 'F4EFE6' };
    slide.addText(title, { x: 0.5, y: 0.4, w: 9, h: 1, fontSize: 32, bold: true, color: '2F5D50' });
    slide.addImage({ data: `image/png;base64,${dot}`, x: 0.5, y: 2, w: 1, h: 1 });
    slide.addText(
      [
        { text: 'one', options: { bullet: true } },
        { text: 'two', options: { bullet: true } },
      ],
      { x: 2, y: 2, w: 5, h: 2 },
    );
    slide.addNotes(`Notes of ${title}`);
  }
  return (await deck.write({ outputType: 'uint8array' })) as Uint8Array;
}

/** One file of every kind that is shown. */
export async function makeSamples(): Promise<SampleFile[]> {
  const csv = ['Month;Sales;Comment', ...Array.from({ length: 3000 }, (_, row) => `Month ${row + 1};${row * 10};"a; b"`)].join(
    '\n',
  );
  const nested = {
    name: 'Errand',
    list: Array.from({ length: 250 }, (_, at) => at),
    deep: { a: { b: { c: [true, null, 'end'] } } },
  };
  return [
    text('notes.md', '# Notes\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst x = 1;\n```\n'),
    text(
      'program.ts',
      "/** Adds. */\nexport function add(left: number, right: number): number {\n  return left + right; // '<b>'\n}\n",
    ),
    text('long.log', Array.from({ length: 5000 }, (_, line) => `${line + 1} something happened`).join('\n')),
    text('data.json', JSON.stringify(nested), 'application/json'),
    text('table.csv', csv, 'text/csv'),
    { filename: 'book.xlsx', type: 'application/octet-stream', content: await makeWorkbook('second sheet') },
    {
      filename: 'book.ods',
      type: 'application/octet-stream',
      content: await writeOds({ sheets: [{ name: 'Only', rows: [['open', 1]] }] }),
    },
    { filename: 'letter.docx', type: 'application/octet-stream', content: await makeWordFile('Dear reader') },
    { filename: 'budget.xlsx', type: 'application/octet-stream', content: await makeBudget() },
    {
      filename: 'loose.pptx',
      type: 'application/octet-stream',
      content: await makePresentation(['Harbour', 'Growth', 'Outlook']),
    },
    text('old.rtf', '{\\rtf1\\ansi An old letter}', 'application/rtf'),
    text(
      'drawing.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" width="400" height="300"><rect width="40" height="30" fill="#2f5d50"/><circle cx="20" cy="15" r="9" fill="#edf4f0"/></svg>',
      'image/svg+xml',
    ),
    text(
      'page.html',
      '<!doctype html><title>A page</title><style>h1{color:#2f5d50}</style><h1 id="h">Still</h1><a href="https://example.com/">away</a><script>document.getElementById("h").textContent = "Live"</script>',
      'text/html',
    ),
    { filename: 'tone.wav', type: 'audio/wav', content: makeTone() },
    {
      filename: 'bundle.zip',
      type: 'application/zip',
      content: zipSync({ 'folder/a.txt': Buffer.from('a'.repeat(2000)), 'b.md': Buffer.from('b') }),
    },
    { filename: 'model.bin', type: 'application/octet-stream', content: 'unknown' },
    text('late.txt', 'it came late'),
    { filename: 'broken.xlsx', type: 'application/octet-stream', content: 'no workbook at all' },
  ];
}
