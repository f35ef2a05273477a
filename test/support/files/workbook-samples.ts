import { contentTypes, office, partOf, type Parts, relationships } from './office-samples.ts';

const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A sheet with these rows, as markup. */
export function sheetMarkup(rows: string, after = '', before = ''): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<worksheet xmlns="${sheet}" xmlns:r="${office}"><dimension ref="A1:D6"/>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
}

/** A quarter: a table with formulas, totals, a chart of it, a name, a format, and a second sheet that reads the first. */
export function workbookParts(more: Parts = {}): Parts {
  const text = (at: string, value: string, style = '') => `<c r="${at}"${style} t="inlineStr"><is><t>${value}</t></is></c>`;
  const line = (row: number, name: string, amount: number, shared: string) =>
    `<row r="${row}" spans="1:4">${text(`A${row}`, name)}<c r="B${row}" s="1"><v>${amount}</v></c><c r="C${row}" s="2"><v>46000</v></c><c r="D${row}">${shared}<v>${amount * 2}</v></c></row>`;
  const rows = [
    `<row r="1">${['Item', 'Amount', 'Day', 'Double'].map((name, at) => text(`${'ABCD'[at]}1`, name)).join('')}</row>`,
    line(2, 'Lamp', 10, '<f t="shared" ref="D2:D4" si="0">B2*2</f>'),
    line(3, 'Chair', 20, '<f t="shared" si="0"/>'),
    line(4, 'Table', 30, '<f t="shared" si="0"/>'),
    `<row r="5">${text('A5', 'Total')}<c r="B5" s="1"><f>SUBTOTAL(109,Sales[Amount])</f><v>60</v></c></row>`,
    `<row r="8"><c r="A8" s="3"/><c r="B8"><f>SUM(B2:B4)</f><v>60</v></c><c r="C8"><f>SUM(Other!A1:A2)</f><v>3</v></c></row>`,
  ];
  const merges = '<mergeCells count="1"><mergeCell ref="F1:G2"/></mergeCells>';
  const format =
    '<conditionalFormatting sqref="B2:B4"><cfRule type="expression" priority="1"><formula>B2&gt;$B$8</formula></cfRule></conditionalFormatting>';
  const reads = `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>Quarter!B8*10</f><v>600</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><f>A1+A2</f><v>3</v></c></row>`;
  return {
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': `${sheetType}.sheet.main+xml`,
      'xl/worksheets/sheet1.xml': `${sheetType}.worksheet+xml`,
      'xl/worksheets/sheet2.xml': `${sheetType}.worksheet+xml`,
      'xl/styles.xml': `${sheetType}.styles+xml`,
      'xl/tables/table1.xml': `${sheetType}.table+xml`,
      'xl/calcChain.xml': `${sheetType}.calcChain+xml`,
    }),
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${sheet}" xmlns:r="${office}"><sheets><sheet name="Quarter" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="4" r:id="rId2"/></sheets><definedNames><definedName name="Amounts">Quarter!$B$2:$B$4</definedName></definedNames><calcPr calcId="191029"/></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
      ['rId3', 'styles', 'styles.xml'],
      ['rId4', 'calcChain', 'calcChain.xml'],
    ]),
    'xl/worksheets/sheet1.xml': sheetMarkup(
      rows.join('\n'),
      `${merges}${format}<tableParts count="1"><tablePart r:id="rId1"/></tableParts>`,
    ),
    'xl/worksheets/_rels/sheet1.xml.rels': relationships([['rId1', 'table', '../tables/table1.xml']]),
    'xl/worksheets/sheet2.xml': sheetMarkup(reads, '<hyperlinks><hyperlink ref="A1" location="Quarter!A1"/></hyperlinks>'),
    'xl/tables/table1.xml': `<table xmlns="${sheet}" id="1" name="Sales" displayName="Sales" ref="A1:D5" totalsRowCount="1"><autoFilter ref="A1:D4"/><tableColumns count="4"><tableColumn id="1" name="Item"/><tableColumn id="2" name="Amount"/><tableColumn id="3" name="Day"/><tableColumn id="4" name="Double"><calculatedColumnFormula>Sales[[#This Row],[Amount]]*2</calculatedColumnFormula></tableColumn></tableColumns></table>`,
    'xl/charts/chart1.xml': `<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:ser><c:tx><c:strRef><c:f>Quarter!$B$1</c:f></c:strRef></c:tx><c:val><c:numRef><c:f>Quarter!$B$2:$B$4</c:f></c:numRef></c:val></c:ser></c:chart>`,
    'xl/calcChain.xml': `<calcChain xmlns="${sheet}"><c r="B5" i="1"/></calcChain>`,
    'xl/styles.xml': `<styleSheet xmlns="${sheet}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164"/><xf numFmtId="0" fontId="0"><alignment horizontal="center"/></xf></cellXfs></styleSheet>`,
    'xl/pivotTables/kept.xml': '<kept  a = "1"\n/>',
    ...more,
  };
}

/** What the cells of a sheet hold: formulas with their last result, texts, numbers. */
export function cellsOf(bytes: Uint8Array, part = 'xl/worksheets/sheet1.xml'): Record<string, string> {
  const cells = [...partOf(bytes, part).matchAll(/<c r="([A-Z]+\d+)"[^>]*?(?:\/>|>(.*?)<\/c>)/gs)];
  return Object.fromEntries(
    cells.map(([, at = '', inner = '']) => {
      const formula = /<f[^>]*>([^<]*)<\/f>/.exec(inner)?.[1];
      const value = /<(?:v|t)[^>]*>([^<]*)<\//.exec(inner)?.[1] ?? '';
      return [at, formula === undefined ? value : `=${formula} ${value}`.trim()];
    }),
  );
}
