import { describe, expect, it } from 'vitest';
import { packOffice, type Parts, partOf, relationships, unpackOffice } from '../../../../../test/support/files/office-samples.ts';
import { cellsOf, sheetMarkup, workbookParts } from '../../../../../test/support/files/workbook-samples.ts';
import type { OfficeEdit } from '../edit-spec.ts';
import { editOffice } from '../office-editor.ts';

async function edit(edits: OfficeEdit[], more: Parts = {}) {
  const file = packOffice(workbookParts(more));
  const job = { path: 'a.xlsx', output: 'b.xlsx', edits, track: false, author: '', nowMs: 0 };
  const { files, notes } = await editOffice(job, () => Promise.resolve(file));
  return { file, bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

function sheetsOf(bytes: Uint8Array): string[] {
  return [...partOf(bytes, 'xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name = '']) => name);
}

describe('copying a sheet', () => {
  it('gives a sheet that reads itself, with a table of its own, and keeps the source as it was', async () => {
    const { file, bytes, notes } = await edit([
      { do: 'copy_sheet', sheet: 'Quarter', name: 'Next quarter' },
      { do: 'set', sheet: 'Next quarter', cells: { B2: 100 } },
    ]);
    expect(sheetsOf(bytes)).toEqual(['Quarter', 'Next quarter', 'Other']);
    expect(notes[0]).toBe('1. copy_sheet: copied the sheet "Quarter" to "Next quarter".');
    const copy = [...unpackOffice(bytes).keys()].find((name) => name === 'xl/worksheets/sheet3.xml') ?? '';
    expect(cellsOf(bytes, copy)).toMatchObject({ A2: 'Lamp', B2: '100', D2: '=B2*2 200', B8: '=SUM(B2:B4) 150' });
    expect(partOf(bytes, copy)).toContain('Sales_2[Amount]');
    expect(partOf(bytes, 'xl/tables/table2.xml')).toMatch(/id="2" name="Sales_2" displayName="Sales_2"/);
    // The result of a formula that we cannot compute goes with any change.
    const source = partOf(file, 'xl/worksheets/sheet1.xml').replace(
      '</f><v>60</v></c></row>\n<row r="8">',
      '</f></c></row>\n<row r="8">',
    );
    expect(partOf(bytes, 'xl/worksheets/sheet1.xml')).toBe(source);
    expect(cellsOf(bytes, 'xl/worksheets/sheet2.xml')).toMatchObject({ B1: '=Quarter!B8*10 600' });
  });

  it('lets its own formulas, charts, and print area mean the copy', async () => {
    const drawing = '<xdr:wsDr xmlns:xdr="urn:d"/>';
    const parts = workbookParts();
    const { bytes } = await edit([{ do: 'copy_sheet', sheet: 'Other', name: 'Copy', position: 1 }], {
      'xl/worksheets/sheet2.xml': sheetMarkup(
        '<row r="1"><c r="A1"><f>Other!B1+Quarter!B2</f><v>3</v></c></row>',
        '<drawing r:id="rId1"/>',
      ),
      'xl/worksheets/_rels/sheet2.xml.rels': relationships([['rId1', 'drawing', '../drawings/drawing1.xml']]),
      'xl/drawings/drawing1.xml': drawing,
      'xl/drawings/_rels/drawing1.xml.rels': relationships([['rId1', 'chart', '../charts/chart2.xml']]),
      'xl/charts/chart2.xml': String(parts['xl/charts/chart1.xml']).replaceAll('Quarter!', 'Other!'),
      'xl/workbook.xml': String(parts['xl/workbook.xml'])
        .replace('<sheets>', '<bookViews><workbookView activeTab="1"/></bookViews><sheets>')
        .replace(
          '</definedNames>',
          '<definedName name="_xlnm.Print_Area" localSheetId="1">Other!$A$1:$B$2</definedName></definedNames>',
        ),
    });
    expect(sheetsOf(bytes)).toEqual(['Copy', 'Quarter', 'Other']);
    expect(cellsOf(bytes, 'xl/worksheets/sheet3.xml')).toMatchObject({ A1: '=Copy!B1+Quarter!B2 3' });
    expect(partOf(bytes, 'xl/charts/chart3.xml')).toContain('Copy!$B$2:$B$4');
    expect(partOf(bytes, 'xl/charts/chart2.xml')).toContain('Other!$B$2:$B$4');
    const workbook = partOf(bytes, 'xl/workbook.xml');
    expect(workbook).toContain('activeTab="2"');
    expect(workbook).toContain('localSheetId="2">Other!$A$1:$B$2');
    expect(workbook).toContain('localSheetId="0">Copy!$A$1:$B$2');
  });

  it('is refused for what only a spreadsheet program can copy, and for a name that is taken', async () => {
    const pivot = { 'xl/worksheets/_rels/sheet2.xml.rels': relationships([['rId1', 'pivotTable', '../pivotTables/kept.xml']]) };
    await expect(edit([{ do: 'copy_sheet', sheet: 'Other', name: 'Copy' }], pivot)).rejects.toThrow('"Other" has a pivotTable');
    await expect(edit([{ do: 'copy_sheet', sheet: 'Other', name: 'quarter' }])).rejects.toThrow(
      'there is a sheet "quarter" already',
    );
  });
});

describe('moving a sheet', () => {
  it('puts it at a position, where names that belong to a sheet follow it', async () => {
    const { bytes, notes } = await edit([{ do: 'move_sheet', sheet: 'other', position: 1 }]);
    expect(sheetsOf(bytes)).toEqual(['Other', 'Quarter']);
    expect(notes[0]).toBe('1. move_sheet: moved the sheet "Other", which is number 1 now.');
    await expect(edit([{ do: 'move_sheet', sheet: 'Other', position: 3 }])).rejects.toThrow('position: must be from 1 to 2');
  });

  it('opens the workbook at the sheet that was moved to the front, and at no other one', async () => {
    const parts = workbookParts();
    const views = (markup: unknown, selected: string) =>
      String(markup).replace('<sheetData>', `<sheetViews><sheetView${selected} workbookViewId="0"/></sheetViews><sheetData>`);
    const { bytes } = await edit([{ do: 'move_sheet', sheet: 'Other', position: 1 }], {
      'xl/worksheets/sheet1.xml': views(parts['xl/worksheets/sheet1.xml'], ' tabSelected="1"'),
      'xl/worksheets/sheet2.xml': views(parts['xl/worksheets/sheet2.xml'], ''),
      'xl/workbook.xml': String(parts['xl/workbook.xml']).replace(
        '<sheets>',
        '<bookViews><workbookView activeTab="0"/></bookViews><sheets>',
      ),
    });
    expect(partOf(bytes, 'xl/workbook.xml')).toContain('activeTab="0"');
    expect(partOf(bytes, 'xl/worksheets/sheet1.xml')).not.toContain('tabSelected');
    expect(partOf(bytes, 'xl/worksheets/sheet2.xml')).toMatch(/<sheetView [^>]*tabSelected="1"/);
  });
});
