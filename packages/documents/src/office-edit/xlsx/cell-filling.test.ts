import { describe, expect, it } from 'vitest';
import { packOffice, partOf } from '../../../../../test/support/files/office-samples.ts';
import { cellsOf, sheetMarkup, workbookParts } from '../../../../../test/support/files/workbook-samples.ts';
import { editOffice } from '../office-editor.ts';

const text = (at: string, value: string, style = '') => `<c r="${at}"${style} t="inlineStr"><is><t>${value}</t></is></c>`;
const part = 'xl/worksheets/sheet2.xml';

async function fill(rows: string, values: Record<string, unknown>, after = '', more: { missing?: 'keep' } = {}) {
  const file = packOffice(workbookParts({ [part]: sheetMarkup(rows, after) }));
  const edits = [{ do: 'fill' as const, sheet: 'Other', values, ...more }];
  const job = { path: 'a.xlsx', output: 'b.xlsx', edits, track: false, author: '', nowMs: 0 };
  const { files, notes } = await editOffice(job, () => Promise.resolve(file));
  return { bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

const invoice = [
  `<row r="1">${text('A1', 'Invoice {{number}} for {{client.name}}')}${text('C1', '{{day}}')}</row>`,
  `<row r="3">${text('A3', '{{#items}}{{name}}')}${text('B3', '{{count}}')}${text('C3', '{{price}}', ' s="1"')}<c r="D3"><f>B3*C3</f></c>${text('E3', '{{/items}}')}</row>`,
  `<row r="5">${text('A5', 'Total')}<c r="D5"><f>SUM(D3:D4)</f></c><c r="E5"><f>SUM(D3:D3)</f></c></row>`,
  `<row r="6">${text('A6', 'Paid by {{day}}')}</row>`,
].join('');
const items = [
  { name: 'Lamp', count: 2, price: 40 },
  { name: '=1+1', count: 1, price: 15.5 },
  { name: "'Mat", count: 3, price: 1 },
];
const values = { number: 7, client: { name: 'Ümit & Co' }, day: '2026-03-31', items };

describe('filling the cells of a workbook', () => {
  it('repeats a row for each item, with its formulas, and what reads it reads all of them', async () => {
    const { bytes, notes } = await fill(invoice, values, '<mergeCells count="1"><mergeCell ref="F3:G3"/></mergeCells>');
    expect(cellsOf(bytes, part)).toMatchObject({
      ...{ A1: 'Invoice 7 for Ümit &amp; Co', C1: '46112', A3: 'Lamp', B3: '2', C3: '40', D3: '=B3*C3 80' },
      ...{ A4: '=1+1', D4: '=B4*C4 15.5', A5: '&#39;Mat', C5: '1', D5: '=B5*C5 3' },
      ...{ A7: 'Total', D7: '=SUM(D3:D6) 98.5', E7: '=SUM(D3:D5) 98.5', A8: 'Paid by 2026-03-31' },
    });
    expect(partOf(bytes, part)).toContain('<c r="C5" s="1"><v>1</v></c>');
    expect(partOf(bytes, part)).toContain(
      '<mergeCells count="3"><mergeCell ref="F3:G3"/><mergeCell ref="F4:G4"/><mergeCell ref="F5:G5"/>',
    );
    expect(notes[0]).toBe('1. fill: filled 13 fields and 1 sections.');
  });

  it('empties the row of a list without items, and keeps rows for other values', async () => {
    const { bytes } = await fill(invoice, { ...values, items: [] });
    expect(cellsOf(bytes, part)).toMatchObject({ A3: '', D3: '', D5: '=SUM(D3:D4) 0', A6: 'Paid by 2026-03-31' });
    const rows = `<row r="1">${text('A1', '{{^items}}nothing{{/items}}')}</row>`;
    expect(cellsOf((await fill(rows, { items: [] })).bytes, part)['A1']).toBe('nothing');
  });

  it('names fields without a value, and sections that are no row', async () => {
    await expect(fill(invoice, { ...values, day: undefined })).rejects.toThrow('values: has nothing for day');
    const kept = await fill(invoice, { ...values, day: undefined }, '', { missing: 'keep' });
    expect(cellsOf(kept.bytes, part)).toMatchObject({ C1: '{{day}}', A8: 'Paid by {{day}}' });
    const open = `<row r="1">${text('A1', '{{#items}}a')}</row><row r="2">${text('A2', '{{/items}}')}</row>`;
    await expect(fill(open, values)).rejects.toThrow('must enclose cells of this row');
  });
});
