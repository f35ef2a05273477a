import { describe, expect, it } from 'vitest';
import { cell, linesOf, paragraph, partOf, run, table, wordFile } from '../../../../../test/support/files/office-samples.ts';
import type { OfficeEdit } from '../edit-spec.ts';
import { editOffice } from '../office-editor.ts';

const prices = wordFile(
  `${paragraph(run('Prices'))}${table(['Item', 'Price'], ['Lamp', '10'], ['Chair', '20'], ['Total', '30'])}${paragraph(run('End'))}`,
);

async function edit(file: Uint8Array, edits: OfficeEdit[], track = false) {
  const job = { path: 'a.docx', output: 'b.docx', edits, track, author: 'Ada', nowMs: 0 };
  const { files, notes } = await editOffice(job, () => Promise.resolve(file));
  return { bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

/** The rows of the first table, each as its texts. */
function rowsOf(bytes: Uint8Array): string[][] {
  const rows = partOf(bytes, 'word/document.xml').match(/<w:tr[ >].*?<\/w:tr>/gs) ?? [];
  return rows.map((row) => (row.match(/<w:tc>.*?<\/w:tc>/gs) ?? []).map((each) => each.replaceAll(/<[^>]+>/g, '')));
}

describe('rows of a table in Word', () => {
  it('are inserted beside the row that holds a text, in its form, by order or by column', async () => {
    const { bytes, notes } = await edit(prices, [
      { do: 'insert_rows', after: 'Chair', rows: [['Desk', 40], { Price: 50, Item: 'Shelf & Co' }] },
      { do: 'insert_rows', after: 'Item', rows: [['First', '5']] },
      { do: 'insert_rows', before: 'Total', rows: [{ Item: 'Last' }] },
    ]);
    expect(rowsOf(bytes)).toEqual([
      ['Item', 'Price'],
      ['First', '5'],
      ['Lamp', '10'],
      ['Chair', '20'],
      ['Desk', '40'],
      ['Shelf &amp; Co', '50'],
      ['Last', ''],
      ['Total', '30'],
    ]);
    expect(notes[0]).toBe('1. insert_rows: inserted 2 rows after the row of "Chair".');
    expect(linesOf(bytes).at(-1)).toBe('End');
  });

  it('are tracked changes if wanted, which can be rejected or accepted as a whole', async () => {
    const edits: OfficeEdit[] = [
      { do: 'insert_rows', after: 'Lamp', rows: [['Desk', 40]] },
      { do: 'delete_rows', find: 'Chair' },
    ];
    const { bytes } = await edit(prices, edits, true);
    expect(partOf(bytes, 'word/document.xml')).toMatch(/<w:trPr><w:ins [^>]*w:author="Ada"/);
    expect(rowsOf((await edit(bytes, [{ do: 'reject' }])).bytes)).toEqual(rowsOf(prices));
    expect(rowsOf((await edit(bytes, [{ do: 'accept' }])).bytes)).toEqual([
      ['Item', 'Price'],
      ['Lamp', '10'],
      ['Desk', '40'],
      ['Total', '30'],
    ]);
  });

  it('are deleted from one to another, and the table with the last of them', async () => {
    const { bytes } = await edit(prices, [{ do: 'delete_rows', find: 'Lamp', to: 'Chair' }]);
    expect(rowsOf(bytes).map(([first]) => first)).toEqual(['Item', 'Total']);
    const gone = await edit(prices, [{ do: 'delete_rows', find: 'Item', to: 'Total' }]);
    expect(linesOf(gone.bytes)).toEqual(['Prices', 'End']);
  });

  it('keep cells that span several rows whole', async () => {
    const merged = (value: string, text: string) =>
      cell(paragraph(run(text))).replace('</w:tcPr>', `<w:vMerge${value}/></w:tcPr>`);
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const plain = (text: string) => cell(paragraph(run(text)));
    const file = wordFile(
      `<w:tbl><w:tblPr/><w:tblGrid/>${row(merged(' w:val="restart"', 'North'), plain('Kiel'))}${row(merged('', ''), plain('Bremen'))}${row(plain('South'), plain('Ulm'))}</w:tbl>`,
    );
    const { bytes } = await edit(file, [
      { do: 'insert_rows', after: 'Kiel', rows: [['Husum']] },
      { do: 'insert_rows', after: 'Bremen', rows: [['West', 'Trier']] },
      { do: 'delete_rows', find: 'Kiel' },
    ]);
    const merges = (partOf(bytes, 'word/document.xml').match(/<w:tr>.*?<\/w:tr>/gs) ?? []).map(
      (each) => /<w:vMerge[^>]*>/.exec(each)?.[0] ?? '',
    );
    expect(merges).toEqual(['<w:vMerge w:val="restart"/>', '<w:vMerge/>', '', '']);
    expect(rowsOf(bytes).map((texts) => texts.at(-1))).toEqual(['Husum', 'Bremen', 'Trier', 'Ulm']);
  });

  it('are refused where the text is in no table, or the values do not fit its columns', async () => {
    const refused = (each: OfficeEdit) => expect(edit(prices, [each])).rejects;
    await refused({ do: 'insert_rows', after: 'Prices', rows: [['a', 'b']] }).toThrow('"Prices" is in no table');
    await refused({ do: 'insert_rows', after: 'Lamp', rows: [['a']] }).toThrow('has 1 values; a row of this table has 2 cells');
    await refused({ do: 'insert_rows', after: 'Lamp', rows: [{ Cost: 1 }] }).toThrow(
      'no column "Cost". Its first row has "Item", "Price"',
    );
    await refused({ do: 'insert_rows', rows: [['a', 'b']] }).toThrow('give either after or before');
    await refused({ do: 'delete_rows', find: 'Chair', to: 'Lamp' }).toThrow('comes before find');
  });
});
