import { describe, expect, it } from 'vitest';
import { packOffice, type Parts, partOf, unpackOffice } from '../../../../../test/support/files/office-samples.ts';
import { cellsOf, sheetMarkup, workbookParts } from '../../../../../test/support/files/workbook-samples.ts';
import type { OfficeEdit } from '../edit-spec.ts';
import { editOffice } from '../office-editor.ts';

async function edit(edits: OfficeEdit[], more: Parts = {}) {
  const file = packOffice(workbookParts(more));
  const job = { path: 'a.xlsx', output: 'b.xlsx', edits, track: false, author: '', nowMs: 0 };
  const { files, notes } = await editOffice(job, () => Promise.resolve(file));
  return { file, bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

describe('setting cells of a workbook', () => {
  it('keeps all other parts, the formats of cells, and the rest of the sheet as written', async () => {
    const { file, bytes, notes } = await edit([{ do: 'set', sheet: 'Quarter', cells: { B3: 25.5 } }]);
    const [before, after] = [unpackOffice(file), unpackOffice(bytes)];
    const different = [...before.keys()].filter((name) => after.get(name)?.equals(before.get(name) ?? Buffer.alloc(0)) !== true);
    expect(different).toEqual(['xl/workbook.xml', 'xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml']);
    const expected = before
      .get('xl/worksheets/sheet1.xml')
      ?.toString()
      .replace('<c r="B3" s="1"><v>20</v>', '<c r="B3" s="1"><v>25.5</v>')
      .replace('<f t="shared" si="0"/><v>40</v>', '<f t="shared" si="0"/><v>51</v>')
      .replace('<f>SUBTOTAL(109,Sales[Amount])</f><v>60</v>', '<f>SUBTOTAL(109,Sales[Amount])</f>')
      .replace('<f>SUM(B2:B4)</f><v>60</v>', '<f>SUM(B2:B4)</f><v>65.5</v>');
    expect(after.get('xl/worksheets/sheet1.xml')?.toString()).toBe(expected);
    expect(cellsOf(bytes, 'xl/worksheets/sheet2.xml')).toMatchObject({ B1: '=Quarter!B8*10 655', B2: '=A1+A2 3' });
    expect(partOf(bytes, 'xl/workbook.xml')).toContain('<calcPr calcId="191029" fullCalcOnLoad="1"/>');
    expect(notes[1]).toBe('3 formulas have new results; 1 more get theirs from the program that opens the file.');
  });

  it('takes numbers, texts, dates, formulas, and nothing, and gives dates a format that shows them', async () => {
    const { bytes } = await edit([
      {
        do: 'set',
        sheet: 'quarter',
        cells: {
          A2: ' Ünïcode & <b>\n2',
          C2: '2026-03-31',
          A8: '2026-03-31T12:00',
          B4: null,
          H20: '=SUM(B2:B3)*2',
          M20: '=ifs(B2>1,"IFS(")',
          I20: "'=text",
          J20: '007',
          K20: true,
          L20: '2026-02-30',
        },
      },
      {
        do: 'set',
        sheet: 'Other',
        at: 'D5',
        rows: [
          [1, '=D5+1'],
          ['a', null, 3],
        ],
      },
    ]);
    const xml = partOf(bytes, 'xl/worksheets/sheet1.xml');
    expect(xml).toContain('<c r="A2" t="inlineStr"><is><t xml:space="preserve"> Ünïcode &amp; &lt;b&gt;\n2</t></is></c>');
    expect(xml).toContain('<c r="C2" s="2"><v>46112</v></c>');
    expect(xml).toContain('<c r="A8" s="4"><v>46112.5</v></c>');
    expect(xml).toContain('<c r="B4" s="1"></c>');
    expect(xml).toMatch(/<row r="8">.*<\/row><row r="20"><c r="H20">/s);
    expect(xml).toContain('<dimension ref="A1:M20"/>');
    expect(xml).toContain('<f>_xlfn.ifs(B2&gt;1,&quot;IFS(&quot;)</f>');
    expect(xml).toContain('<c r="K20" t="b"><v>1</v></c>');
    expect(cellsOf(bytes)).toMatchObject({
      H20: '=SUM(B2:B3)*2 60',
      I20: '=text',
      J20: '007',
      L20: '2026-02-30',
      B8: '=SUM(B2:B4) 30',
    });
    expect(partOf(bytes, 'xl/styles.xml')).toContain('<cellXfs count="5">');
    expect(partOf(bytes, 'xl/styles.xml')).toContain(
      '<xf numFmtId="22" fontId="0" applyNumberFormat="1"><alignment horizontal="center"/></xf>',
    );
    expect(cellsOf(bytes, 'xl/worksheets/sheet2.xml')).toMatchObject({ D5: '1', E5: '=D5+1 2', D6: 'a', F6: '3' });
    expect([...unpackOffice(bytes).keys()]).not.toContain('xl/calcChain.xml');
    expect(partOf(bytes, '[Content_Types].xml') + partOf(bytes, 'xl/_rels/workbook.xml.rels')).not.toContain('calcChain');
  });

  it('gives the other cells of a shared formula their own if the first is overwritten', async () => {
    const { bytes } = await edit([{ do: 'set', sheet: 'Quarter', cells: { D2: 1 } }]);
    expect(cellsOf(bytes)).toMatchObject({ D2: '1', D3: '=B3*2 40', D4: '=B4*2 60' });
  });

  it('names what is impossible, and what there is instead', async () => {
    const block = sheetMarkup('<row r="1"><c r="A1"><f t="array" ref="A1:A3">B1:B3</f><v>1</v></c></row>');
    const wrong: [OfficeEdit, string][] = [
      [{ do: 'set', cells: { A1: 1 } }, 'sheet: is missing; the workbook has "Quarter", "Other"'],
      [{ do: 'set', sheet: 'Quater', cells: { A1: 1 } }, 'Perhaps "Quarter" is meant'],
      [{ do: 'set', sheet: 'Quarter', cells: { G2: 1 } }, 'cells.G2: lies in the joined cells F1:G2'],
      [{ do: 'set', sheet: 'Quarter', cells: { A0: 1 } }, '"A0" is no cell'],
      [{ do: 'set', sheet: 'Quarter', cells: { XFE1: 1 } }, '"XFE1" is no cell'],
      [{ do: 'set', sheet: 'Other', cells: { A2: 1 } }, 'lies in A1:A3, which one formula fills'],
      [{ do: 'set', sheet: 'Quarter', rows: [[1]] }, 'at: is missing'],
      [{ do: 'set', sheet: 'Quarter', at: 'XFD1', rows: [[1, 2]] }, 'rows.0.1: lies outside of the sheet'],
      [{ do: 'set', sheet: 'Quarter' }, 'give either cells'],
      [{ do: 'append', rows: [[1]], table: 'Sale' }, 'There are "Sales"'],
      [{ do: 'append', rows: [[1]], sheet: 'Quarter' }, 'table: is missing; the sheet has the table "Sales"'],
      [{ do: 'append', rows: [{ Itm: 1 }], table: 'Sales' }, 'Perhaps "Item" is meant'],
      [{ do: 'append', rows: [[1, 2, 3, 4, 5]], table: 'Sales' }, 'has 5 values, and the table 4 columns'],
      [{ do: 'append', rows: [[1], [1], [1]], table: 'Sales' }, 'row 8, below the table Sales, is not empty'],
      [{ do: 'add_sheet', name: 'quarter' }, 'there is a sheet "quarter" already'],
      [{ do: 'add_sheet', name: 'a/b' }, 'is no name of a sheet'],
      [{ do: 'replace', find: 'a', with: 'b' }, 'is no edit of workbooks. There are set, append, fill'],
    ];
    for (const [each, problem] of wrong) {
      const more: Parts = problem.includes('one formula') ? { 'xl/worksheets/sheet2.xml': block } : {};
      await expect(edit([each], more), problem).rejects.toThrow(problem);
    }
  });
});

describe('appending rows', () => {
  it('lets a table grow above its totals, with its formats and computed columns, and what reads it with it', async () => {
    const { bytes, notes } = await edit([
      { do: 'append', table: 'sales', rows: [{ item: 'Desk', AMOUNT: 40, day: '2026-01-02' }, ['Mat', 5]] },
    ]);
    expect(cellsOf(bytes)).toMatchObject({
      ...{ A5: 'Desk', B5: '40', C5: '46024', D5: '=Sales[[#This Row],[Amount]]*2', A6: 'Mat', B6: '5', A7: 'Total' },
      ...{ B7: '=SUBTOTAL(109,Sales[Amount])', B8: '=SUM(B2:B6) 105' },
    });
    expect(partOf(bytes, 'xl/worksheets/sheet1.xml')).toContain('<c r="C5" s="2">');
    expect(partOf(bytes, 'xl/tables/table1.xml')).toContain('ref="A1:D7" totalsRowCount="1"><autoFilter ref="A1:D6"/>');
    expect(partOf(bytes, 'xl/charts/chart1.xml')).toContain('Quarter!$B$2:$B$6');
    expect(partOf(bytes, 'xl/workbook.xml')).toContain('Quarter!$B$2:$B$6');
    expect(cellsOf(bytes, 'xl/worksheets/sheet2.xml')['B1']).toBe('=Quarter!B8*10 1050');
    expect(partOf(bytes, 'xl/worksheets/sheet1.xml')).toContain('<conditionalFormatting sqref="B2:B6">');
    expect(notes[0]).toContain('which is A1:D7 now; 3 formulas and charts');
  });

  it('continues the formulas and formats of the last row of a sheet', async () => {
    const { bytes } = await edit([{ do: 'append', sheet: 'Other', rows: [[5], [6, 7]] }]);
    expect(cellsOf(bytes, 'xl/worksheets/sheet2.xml')).toMatchObject({ A3: '5', B3: '=A2+A3 7', A4: '6', B4: '7' });
  });
});

describe('sheets', () => {
  it('are added, with values, and renamed wherever they are named', async () => {
    const { bytes } = await edit([
      {
        do: 'add_sheet',
        name: 'Notes & more',
        rows: [
          ['a', 1],
          ['b', '=B1*2'],
        ],
      },
      { do: 'set', sheet: 'Quarter', cells: { B3: 21 } },
      { do: 'rename_sheet', sheet: 'Quarter', name: "Q1 '26" },
      { do: 'set', sheet: "Q1 '26", cells: { B2: 11 } },
    ]);
    expect(cellsOf(bytes, 'xl/worksheets/sheet3.xml')).toEqual({ A1: 'a', B1: '1', A2: 'b', B2: '=B1*2 2' });
    const book = partOf(bytes, 'xl/workbook.xml');
    expect(book).toContain('<sheet name="Notes &amp; more" sheetId="5" r:id="rId5"/>');
    expect(book).toContain('<sheet name="Q1 &#39;26" sheetId="1" r:id="rId1"/>');
    expect(book).toContain('&#39;Q1 &#39;&#39;26&#39;!$B$2:$B$4');
    expect(partOf(bytes, 'xl/charts/chart1.xml')).not.toContain('Quarter');
    expect(partOf(bytes, 'xl/worksheets/sheet2.xml')).toContain('location="&#39;Q1 &#39;&#39;26&#39;!A1"');
    expect(cellsOf(bytes, 'xl/worksheets/sheet2.xml')['B1']).toBe('=&#39;Q1 &#39;&#39;26&#39;!B8*10 620');
  });

  it('that a formula reads with others are not renamed', async () => {
    const rows = sheetMarkup('<row r="1"><c r="A1"><f>SUM(Quarter:Other!B2)</f></c></row>');
    await expect(
      edit([{ do: 'rename_sheet', sheet: 'Quarter', name: 'Q' }], { 'xl/worksheets/sheet2.xml': rows }),
    ).rejects.toThrow('reads a range of sheets');
  });
});

describe('hostile workbooks', () => {
  it('of 200,000 cells are edited in time, and rows that are not touched are not taken apart', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => {
      const cells = Array.from({ length: 9 }, (__, x) => `<c r="${'ABCDEFGHI'[x]}${at + 1}"><v>${x}</v></c>`);
      return `<row r="${at + 1}">${cells.join('')}<c r="J${at + 1}"><f>SUM(A${at + 1}:I${at + 1})${at > 0 ? `+J${at}` : ''}</f></c></row>`;
    });
    const { bytes } = await edit([{ do: 'set', sheet: 'Other', cells: { A19999: 5, A20000: 6 } }], {
      'xl/worksheets/sheet2.xml': sheetMarkup(rows.join('')),
    });
    expect(cellsOf(bytes, 'xl/worksheets/sheet2.xml')['A20000']).toBe('6');
  });

  it('that are cut inside of a row, or lie about addresses, are refused or kept as they are', async () => {
    const broken = (row: string) =>
      edit([{ do: 'set', sheet: 'Other', cells: { A1: 1 } }], { 'xl/worksheets/sheet2.xml': sheetMarkup(row) });
    await expect(broken('<row r="1"><c r="A1"><v>1</c></row>')).rejects.toThrow('no well-formed XML');
    await expect(broken('<row r="1"><!-- </row> --></row>')).rejects.toThrow('no well-formed XML');
    const { bytes } = await broken('<row><c><v>7</v></c><c><v>8</v></c></row><row r="99999999"><c r="A1"><v>9</v></c></row>');
    expect(partOf(bytes, 'xl/worksheets/sheet2.xml')).toContain('<row><c r="A1"><v>1</v></c><c><v>8</v></c></row>');
  });
});

describe('headers and footers of the pages of a workbook', () => {
  const sheetOf = (bytes: Uint8Array, number: number) => partOf(bytes, `xl/worksheets/sheet${number}.xml`);
  const linesOf = (xml: string) => /<headerFooter.*<\/headerFooter>/s.exec(xml)?.[0];

  it('are set on one sheet or on all, after the settings of the page and before what follows', async () => {
    const { bytes } = await edit([
      { do: 'header', text: 'A & B <Ltd> | | {date}' },
      { do: 'footer', sheet: 'Quarter', text: '{sheet} | | {page} / {pages}' },
    ]);
    expect(linesOf(sheetOf(bytes, 1))).toBe(
      '<headerFooter><oddHeader>&amp;L&amp;8A &amp;&amp; B &lt;Ltd&gt;&amp;R&amp;8&amp;D</oddHeader><oddFooter>&amp;L&amp;8&amp;A&amp;R&amp;8&amp;P / &amp;N</oddFooter></headerFooter>',
    );
    expect(linesOf(sheetOf(bytes, 2))).toContain('<oddHeader>');
    expect(linesOf(sheetOf(bytes, 2))).not.toContain('<oddFooter>');
    const names = [...sheetOf(bytes, 1).matchAll(/<(sheetData|pageMargins|pageSetup|headerFooter|drawing|tableParts)\b/g)];
    expect(names.map(([, name]) => name)).toEqual(
      ['sheetData', 'pageMargins', 'pageSetup', 'headerFooter', 'drawing', 'tableParts'].filter((name) =>
        sheetOf(bytes, 1).includes(`<${name}`),
      ),
    );
  });

  it('replace those that are there, also of first pages, and an empty text removes them', async () => {
    const own =
      '<headerFooter differentFirst="1"><oddHeader>&amp;Lold</oddHeader><firstHeader>&amp;Lfirst</firstHeader></headerFooter>';
    const sheet = sheetMarkup('', own);
    const replaced = await edit([{ do: 'header', sheet: 'Quarter', text: 'new' }], { 'xl/worksheets/sheet1.xml': sheet });
    expect(linesOf(sheetOf(replaced.bytes, 1))).toBe(
      '<headerFooter differentFirst="1"><oddHeader>&amp;L&amp;8new</oddHeader><firstHeader>&amp;L&amp;8new</firstHeader></headerFooter>',
    );
    const removed = await edit([{ do: 'header', sheet: 'Quarter', text: '' }], { 'xl/worksheets/sheet1.xml': sheet });
    expect(linesOf(sheetOf(removed.bytes, 1))).not.toMatch(/old|first</);
  });

  it('take at most three parts and known fields', async () => {
    await expect(edit([{ do: 'header', text: 'a|b|c|d' }])).rejects.toThrow('at most three parts');
    await expect(edit([{ do: 'footer', text: '{user}' }])).rejects.toThrow('fills in {page}');
  });
});
