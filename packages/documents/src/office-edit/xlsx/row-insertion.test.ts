import { describe, expect, it } from 'vitest';
import { packOffice, type Parts, partOf, relationships } from '../../../../../test/support/files/office-samples.ts';
import { cellsOf, sheetMarkup, workbookParts } from '../../../../../test/support/files/workbook-samples.ts';
import type { OfficeEdit } from '../edit-spec.ts';
import { editOffice } from '../office-editor.ts';

async function edit(more: Parts, edits: OfficeEdit[]) {
  const file = packOffice(workbookParts(more));
  const job = { path: 'a.xlsx', output: 'b.xlsx', edits, track: false, author: '', nowMs: 0 };
  const { files, notes } = await editOffice(job, () => Promise.resolve(file));
  return { bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

const two: OfficeEdit = {
  do: 'append',
  table: 'Sales',
  rows: [
    ['Desk', 40],
    ['Mat', 5],
  ],
};
const other = (formulas: Record<string, string>, after = '', before = '') => {
  const cells = Object.entries(formulas).map(([at, formula]) => `<c r="${at}"><f>${formula}</f><v>0</v></c>`);
  return { 'xl/worksheets/sheet2.xml': sheetMarkup(`<row r="1">${cells.join('')}</row>`, after, before) };
};
const second = (bytes: Uint8Array) => cellsOf(bytes, 'xl/worksheets/sheet2.xml');

describe('formulas that read a table to which rows are appended', () => {
  it('follow its totals, by whatever kind of address', async () => {
    const more = other({
      A1: 'Quarter!B5',
      B1: 'Quarter!$B$5*2',
      C1: 'SUM(Quarter!A5:D5)',
      D1: 'Quarter!$B5+Quarter!B$5',
      E1: 'IF(Quarter!B5&gt;1,&quot;B5&quot;,Quarter!B8)',
      F1: "'Quarter'!B5",
    });
    expect(second((await edit(more, [two])).bytes)).toMatchObject({
      A1: '=Quarter!B7',
      B1: '=Quarter!$B$7*2',
      C1: '=SUM(Quarter!A7:D7)',
      D1: '=Quarter!$B7+Quarter!B$7',
      E1: '=IF(Quarter!B7&gt;1,&quot;B5&quot;,Quarter!B8)',
      F1: '=Quarter!B7',
    });
  });

  it('grow over the new rows where they read all of the data, also with the header, the totals, or empty rows below', async () => {
    const more = other({
      A1: 'SUM(Quarter!B2:B4)',
      B1: 'COUNTA(Quarter!A1:D4)',
      C1: 'ROWS(Quarter!B2:B5)',
      D1: 'SUM(Quarter!B$2:B$6)',
      E1: 'SUM(Quarter!B:B)',
      F1: 'SUM(Quarter!B2:B30)',
      G1: 'SUM(Quarter!$B$4:$B$2)',
    });
    expect(second((await edit(more, [two])).bytes)).toMatchObject({
      A1: '=SUM(Quarter!B2:B6) 105',
      B1: expect.stringContaining('A1:D6') as string,
      C1: expect.stringContaining('B2:B7') as string,
      D1: expect.stringContaining('B$2:B$7') as string,
      E1: expect.stringContaining('B:B') as string,
      F1: expect.stringContaining('B2:B30') as string,
      G1: '=SUM(Quarter!$B$6:$B$2) 105',
    });
  });

  it('stay where they read only a part of the data, or cells beside the table', async () => {
    const more = other({
      A1: 'Quarter!B4',
      B1: 'SUM(Quarter!B3:B4)',
      C1: 'Quarter!F5',
      D1: 'B5',
      E1: '[1]Quarter!B5',
      F1: 'Sales[Amount]',
    });
    const before = cellsOf(packOffice(workbookParts(more)), 'xl/worksheets/sheet2.xml');
    const after = second((await edit(more, [two])).bytes);
    const formula = (text: string | undefined) => text?.split(' ')[0];
    for (const at of 'ABCDEF') expect(formula(after[`${at}1`])).toBe(formula(before[`${at}1`]));
  });

  it('get one each where several cells share a formula of which only some follow', async () => {
    const rows = [1, 2, 3].map(
      (row) =>
        `<row r="${row}"><c r="A${row}">${row === 1 ? '<f t="shared" ref="A1:A3" si="0">Quarter!B4</f>' : '<f t="shared" si="0"/>'}</c></row>`,
    );
    const { bytes } = await edit({ 'xl/worksheets/sheet2.xml': sheetMarkup(rows.join('')) }, [two]);
    expect(second(bytes)).toMatchObject({ A1: '=Quarter!B4 30', A2: '=Quarter!B7', A3: '=Quarter!B6 5' });
  });

  it('are refused if no address can follow: of several sheets, or with cells beside the table that stay', async () => {
    await expect(edit(other({ A1: 'SUM(Quarter:Other!B5)' }), [two])).rejects.toThrow('reads several sheets at once');
    const rows = (partOf(packOffice(workbookParts()), 'xl/worksheets/sheet1.xml').match(/<row .*<\/row>/s) ?? [''])[0];
    const beside = rows.replace('</row>\n<row r="8">', '<c r="E5"><v>1</v></c></row>\n<row r="8">');
    const more = { ...other({ A1: 'SUM(Quarter!A5:E5)' }), 'xl/worksheets/sheet1.xml': tableSheet(beside) };
    await expect(edit(more, [two])).rejects.toThrow('SUM(Quarter!A5:E5) reads cells that move together with cells beside them');
  });
});

function tableSheet(rows: string, after = '') {
  return sheetMarkup(rows, `${after}<tableParts count="1"><tablePart r:id="rId1"/></tableParts>`);
}

const plainRows = (partOf(packOffice(workbookParts()), 'xl/worksheets/sheet1.xml').match(/<row .*<\/row>/s) ?? [''])[0];

describe('what is placed by addresses', () => {
  it('follows: names, print areas, formats, checks, links, joined cells, comments, charts below, and pivot tables', async () => {
    const after =
      '<autoFilter ref="A1:D5"/><mergeCells count="1"><mergeCell ref="C5:D5"/></mergeCells>' +
      '<conditionalFormatting sqref="A5:F5"><cfRule type="expression" priority="1"><formula>B5&gt;SUM(B$2:B$4)</formula></cfRule></conditionalFormatting>' +
      '<conditionalFormatting sqref="B2:B4"><cfRule type="cellIs" priority="2"><formula>$B$5/3</formula></cfRule></conditionalFormatting>' +
      '<conditionalFormatting sqref="B2:B4"><cfRule type="colorScale" priority="3"><colorScale><cfvo type="formula" val="$B$5"/></colorScale></cfRule></conditionalFormatting>' +
      '<dataValidations count="1"><dataValidation sqref="A2:A4 B5"><formula1>$A$2:$A$4</formula1></dataValidation></dataValidations>' +
      '<hyperlinks><hyperlink ref="A5" location="Quarter!B5"/></hyperlinks>';
    const parts = workbookParts();
    const drawing = (row: number) =>
      `<x:twoCellAnchor><x:from><x:col>1</x:col><x:row>${row}</x:row></x:from><x:to><x:col>3</x:col><x:row>${row + 9}</x:row></x:to></x:twoCellAnchor>`;
    const more = {
      'xl/worksheets/sheet1.xml': tableSheet(plainRows, after),
      'xl/worksheets/_rels/sheet1.xml.rels': relationships([
        ['rId1', 'table', '../tables/table1.xml'],
        ['rId2', 'comments', '../comments1.xml'],
        ['rId3', 'vmlDrawing', '../drawings/vml1.vml'],
        ['rId4', 'drawing', '../drawings/drawing1.xml'],
      ]),
      'xl/comments1.xml': '<comments><commentList><comment ref="B5"/><comment ref="B2"/></commentList></comments>',
      'xl/drawings/vml1.vml':
        '<xml><ClientData><Row>4</Row><Column>1</Column></ClientData><ClientData><Row>1</Row><Column>1</Column></ClientData></xml>',
      'xl/drawings/drawing1.xml': `<x:wsDr xmlns:x="urn:x">${drawing(6)}${drawing(0)}</x:wsDr>`,
      'xl/pivotCache/pivotCacheDefinition1.xml':
        '<p><cacheSource><worksheetSource ref="A1:D4" sheet="Quarter"/></cacheSource></p>',
      'xl/workbook.xml': String(parts['xl/workbook.xml']).replace(
        '</definedNames>',
        '<definedName name="Total">Quarter!$B$5</definedName><definedName name="_xlnm.Print_Area" localSheetId="0">Quarter!$A$1:$F$5</definedName></definedNames>',
      ),
    };
    const bars =
      '<extLst><ext xmlns:x14="urn:x14"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="urn:xm"><x14:cfRule type="dataBar"/><xm:sqref>B2:B5</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>';
    more['xl/worksheets/sheet1.xml'] = more['xl/worksheets/sheet1.xml'].replace('</tableParts>', `</tableParts>${bars}`);
    const { bytes } = await edit(more, [two]);
    const sheet = partOf(bytes, 'xl/worksheets/sheet1.xml');
    for (const expected of [
      bars.replace('B2:B5', 'B2:B7'),
      '<autoFilter ref="A1:D7"/>',
      '<mergeCell ref="C7:D7"/>',
      'sqref="A7:D7 E5:F5"',
      '<formula>$B$7/3</formula>',
      'val="$B$7"',
      'sqref="A2:A6 B7"><formula1>$A$2:$A$6</formula1>',
      '<hyperlink ref="A7" location="Quarter!B7"/>',
    ])
      expect(sheet).toContain(expected);
    expect(partOf(bytes, 'xl/comments1.xml')).toContain('<comment ref="B7"/><comment ref="B2"/>');
    expect(partOf(bytes, 'xl/drawings/vml1.vml')).toMatch(/<Row>6<.*<Row>1</);
    expect(partOf(bytes, 'xl/drawings/drawing1.xml').match(/<x:row>\d+/g)).toEqual([
      '<x:row>8',
      '<x:row>17',
      '<x:row>0',
      '<x:row>9',
    ]);
    expect(partOf(bytes, 'xl/pivotCache/pivotCacheDefinition1.xml')).toBe(
      '<p refreshOnLoad="1"><cacheSource><worksheetSource ref="A1:D6" sheet="Quarter"/></cacheSource></p>',
    );
    const book = partOf(bytes, 'xl/workbook.xml');
    for (const name of ['Quarter!$B$7', 'Quarter!$A$1:$F$7', 'Quarter!$B$2:$B$6']) expect(book).toContain(`>${name}<`);
  });

  it('is refused where the new rows would cut it', async () => {
    const merges = '<mergeCells count="1"><mergeCell ref="D5:E5"/></mergeCells>';
    const more = { 'xl/worksheets/sheet1.xml': tableSheet(plainRows, merges) };
    await expect(edit(more, [two])).rejects.toThrow('rows: D5:E5 belongs together, and the new rows would cut it');
  });
});

describe('results', () => {
  it('are computed where the file has none, and left to the next program where a formula reads what only that one knows', async () => {
    const row =
      '<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><f>A1+Quarter!B2</f></c><c r="C1"><f>SUM({1,2})+Quarter!B2</f><v>13</v></c><c r="D1"><f>C1+1</f><v>14</v></c></row>';
    const { bytes } = await edit({ 'xl/worksheets/sheet2.xml': sheetMarkup(row) }, [
      { do: 'set', sheet: 'Quarter', cells: { B2: 5 } },
    ]);
    expect(second(bytes)).toMatchObject({ A1: '=1+1 2', B1: '=A1+Quarter!B2 7', C1: '=SUM({1,2})+Quarter!B2', D1: '=C1+1' });
  });
});

describe.each(['', '<v></v>', '<v/>'])('results that a program has written as "%s"', (empty) => {
  it('count in the totals of the rows above', async () => {
    const rows = [1, 2]
      .map((row) => `<row r="${row}"><c r="A${row}"><v>${row}0</v></c><c r="B${row}"><f>A${row}*2</f>${empty}</c></row>`)
      .join('');
    const totals = `<row r="3"><c r="A3"><f>SUM(A1:A2)</f>${empty}</c><c r="B3"><f>SUM(B1:B2)</f>${empty}</c></row>`;
    const { bytes } = await edit({ 'xl/worksheets/sheet2.xml': sheetMarkup(rows + totals) }, [
      { do: 'append', sheet: 'Other', rows: [[30]] },
    ]);
    expect(second(bytes)).toMatchObject({ B1: '=A1*2 20', B3: '=A3*2 60', A4: '=SUM(A1:A3) 60', B4: '=SUM(B1:B3) 120' });
  });
});

describe('a sheet without tables', () => {
  const cell = (at: string, content: string) =>
    `<c r="${at}"${content.startsWith('=') ? '' : ' s="1"'}>${content.startsWith('=') ? `<f>${content.slice(1)}</f>` : `<v>${content}</v>`}</c>`;
  const sheet = (rows: Record<string, string>[]) =>
    sheetMarkup(
      rows
        .map((row, at) =>
          Object.keys(row).length === 0
            ? ''
            : `<row r="${at + 1}">${Object.entries(row)
                .map(([column, content]) => cell(`${column}${at + 1}`, content))
                .join('')}</row>`,
        )
        .join(''),
    );

  it('gets new rows above its totals, which read them too', async () => {
    const rows = sheet([
      { A: '1', B: '2' },
      { A: '10', B: '=A2*2' },
      { A: '20', B: '=A3*2' },
      {},
      { A: '=SUM(A2:A3)', B: '=SUM(B2:B3)' },
    ]);
    const more = {
      'xl/worksheets/sheet2.xml': rows,
      'xl/charts/chart1.xml': '<c xmlns="urn:c"><f>Other!$A$2:$A$3</f><f>Other!$A$5</f></c>',
    };
    const { bytes, notes } = await edit(more, [{ do: 'append', sheet: 'Other', rows: [[30], [40, 1]] }]);
    expect(second(bytes)).toMatchObject({
      A4: '30',
      B4: '=A4*2 60',
      A5: '40',
      B5: '1',
      A7: '=SUM(A2:A5) 100',
      B7: '=SUM(B2:B5) 121',
    });
    expect(partOf(bytes, 'xl/charts/chart1.xml')).toContain('<f>Other!$A$2:$A$5</f><f>Other!$A$7</f>');
    expect(notes[0]).toContain('from row 4, above the totals in row 7');
  });

  it('gets new rows above its totals also where taxes, a grand total, and a note follow them', async () => {
    const rows = sheet([
      { A: '1', B: '2' },
      { A: '10', B: '5' },
      { A: '20', B: '5' },
      { A: '=SUM(A2:A3)', B: '=AVERAGE(B2:B3)' },
      { A: '=A4*0.2' },
      { A: '=A4+A5', B: '=MAX(B2:B3)' },
      {},
      { C: '2026' },
    ]);
    const { bytes, notes } = await edit({ 'xl/worksheets/sheet2.xml': rows }, [
      { do: 'append', sheet: 'Other', rows: [[30, 11]] },
    ]);
    expect(second(bytes)).toMatchObject({
      ...{ A4: '30', A5: '=SUM(A2:A4) 60', B5: '=AVERAGE(B2:B4) 7', A6: '=A5*0.2 12', A7: '=A5+A6 72', B7: '=MAX(B2:B4) 11' },
      C9: '2026',
    });
    expect(notes[0]).toContain('from row 4, above the totals in row 5');
  });

  it('gets new rows in the last of its groups, each with a total of its own', async () => {
    const rows = sheet([{ A: '1' }, { A: '10' }, { A: '=SUM(A2:A2)' }, { A: '20' }, { A: '=SUM(A4:A4)' }, { A: '=A3+A5' }]);
    const { bytes } = await edit({ 'xl/worksheets/sheet2.xml': rows }, [{ do: 'append', sheet: 'Other', rows: [[30]] }]);
    expect(second(bytes)).toMatchObject({ A3: '=SUM(A2:A2) 10', A5: '30', A6: '=SUM(A4:A5) 50', A7: '=A3+A6 60' });
  });

  it('gets new rows that totals above the data read too, wherever the data begins', async () => {
    const heads = '<row r="3"><c r="A3" t="str"><v>Amount</v></c></row>';
    const rows = sheet([{ A: '=SUM(A4:A5)', B: '=SUM(A5:A5)' }, {}, {}, { A: '10' }, { A: '20' }]);
    const more = { 'xl/worksheets/sheet2.xml': rows.replace('<row r="4">', `${heads}<row r="4">`) };
    const { bytes } = await edit(more, [{ do: 'append', sheet: 'Other', rows: [[30]] }]);
    expect(second(bytes)).toMatchObject({ A1: '=SUM(A4:A6) 60', A6: '30' });
    expect(second(bytes)['B1']).toMatch(/^=SUM\(A5:A5\)/);
  });

  it('continues a running total, which is no total of the sheet, also of a shared formula', async () => {
    const rows = sheet([{ A: '1' }, { A: '10', B: '=SUM(A$2:A2)' }, { A: '20', B: '=SUM(A$2:A3)' }]);
    const { bytes } = await edit({ 'xl/worksheets/sheet2.xml': rows }, [{ do: 'append', sheet: 'Other', rows: [[30]] }]);
    expect(second(bytes)).toMatchObject({ A4: '30', B4: '=SUM(A$2:A4) 60', B3: '=SUM(A$2:A3) 30' });
    const shared = rows
      .replace('<f>SUM(A$2:A2)', '<f t="shared" ref="B2:B3" si="0">SUM(A$2:A2)')
      .replace('<f>SUM(A$2:A3)</f>', '<f t="shared" si="0"/>');
    const again = await edit({ 'xl/worksheets/sheet2.xml': shared }, [{ do: 'append', sheet: 'Other', rows: [[30]] }]);
    expect(second(again.bytes)).toMatchObject({ B4: '=SUM(A$2:A4) 60' });
  });
});
