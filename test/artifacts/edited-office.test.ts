import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { openWorkspace } from '@errand/sandbox/workspace';
import { createEditOffice } from '../../src/tools/deliverables/edit-office.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { deckParts } from '../support/files/deck-samples.ts';
import { packOffice, unpackOffice } from '../support/files/office-samples.ts';
import { workbookParts } from '../support/files/workbook-samples.ts';
import { toolContext } from '../support/tasks/tool-context.ts';

const run = promisify(execFile);
const missing = ['soffice', 'pdftotext'].filter((program) => !existsSync(`/usr/bin/${program}`));
if (missing.length > 0 && process.env.CI) throw new Error(`missing: ${missing.join(', ')}`);

const folder = createFolder('edited-office');
const workspace = openWorkspace(folder);
const tool = createEditOffice(createGenerators(systemClock));

async function convert(format: string, ...names: string[]): Promise<void> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const files = names.map((name) => join(folder, name));
  const argv = [profile, '--headless', '--norestore', '--convert-to', format, '--outdir', folder, ...files];
  const { stdout, stderr } = await run('soffice', argv, { env: { PATH: '/usr/bin:/bin', HOME: folder } });
  const complaint = /.*(error|corrupt|could not be loaded).*/i.exec(`${stdout}${stderr}`);
  if (complaint) throw new Error(complaint[0]);
}

/** The words of a file as another program shows them, without the spaces that its layout needs. */
async function readWords(name: string): Promise<string> {
  const { stdout } = await run('pdftotext', ['-layout', join(folder, name), '-']);
  return stdout.replaceAll(/\s+/g, ' ');
}

async function edit(path: string, output: string, edits: unknown[], more: Record<string, unknown> = {}): Promise<void> {
  await tool.run(tool.input.parse({ path, output, edits, ...more }), toolContext(workspace));
}

const letter = String.raw`{\rtf1\ansi\deff0{\fonttbl{\f0 Liberation Serif;}}
{\header\pard Example Ltd, {\b Confidential}\par}
{\pard\b Agreement with \{\{client\}\}\par}
{\pard The Client shall pay wit{\b hin thirty} (30) days of the date of {\i the invoice}.\par}
{\pard Either party may end this agreement with notice.\par}
\trowd\cellx3000\cellx6000\intbl Item\cell Price\cell\row
\trowd\cellx3000\cellx6000\intbl \{\{#items\}\}\{\{name\}\}\cell \{\{price\}\}\{\{/items\}\}\cell\row
{\pard Signed in \{\{place\}\}.\par}}`;

describe.skipIf(missing.length > 0)('files of an office program, edited', () => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'letter.rtf'), letter);
    await workspace.write(
      'logo.png',
      await sharp({ create: { width: 90, height: 40, channels: 3, background: '#c00' } })
        .png()
        .toBuffer(),
    );
    await convert('docx', 'letter.rtf');
    writeFileSync(join(folder, 'book.csv'), 'Item,Amount,Double\nLamp,10,=B2*2\nChair,20,=B3*2\nTotal,=SUM(B2:B3),\n');
    await convert('xlsx', 'book.csv');
    await edit('book.xlsx', 'book2.xlsx', [
      { do: 'set', cells: { A2: 'Ümit & Lamp', B3: 25, D1: '=ROUND(SUM(B2:B3)/3,2)', D2: '=NPV(0.1,B2:B3)', D3: '2026-03-31' } },
      { do: 'append', rows: [['Sofa', 7]] },
      { do: 'add_sheet', name: 'More', rows: [['=Sheet9!A1']] },
      { do: 'rename_sheet', sheet: 'book', name: "Q1 '26" },
    ]);
    await workspace.write('quarter.xlsx', packOffice(workbookParts()));
    await edit('quarter.xlsx', 'quarter2.xlsx', [
      {
        do: 'set',
        sheet: 'Quarter',
        cells: { J1: '=B5', J2: '=SUM(Amounts)*2', J3: '=SUM(B2:B6)-B5', J4: '=MAX(B$2:B$4)', J5: '=J1-B8' },
      },
      {
        do: 'append',
        table: 'Sales',
        rows: [
          ['Desk', 40],
          ['Mat', 5],
        ],
      },
    ]);
    const values = {
      client: 'Ümit & Söhne',
      place: 'Łódź',
      items: [
        { name: 'Lamp', price: '80 €' },
        { name: 'Chair', price: '120 €' },
      ],
    };
    await workspace.write('deck.pptx', packOffice(deckParts()));
    await edit('deck.pptx', 'deck2.pptx', [
      { do: 'duplicate_slide', slide: 2 },
      {
        do: 'fill',
        slide: 2,
        values: {
          city: 'Łódź',
          items: [
            { name: 'Lamp', price: 80 },
            { name: 'Chair', price: 120 },
          ],
        },
      },
      { do: 'fill', values: { city: 'Rome', items: [] } },
      { do: 'replace', find: 'Welcome', with: 'Good morning' },
      { do: 'move_slide', slide: 1, position: 3 },
      { do: 'picture', image: 'logo.png', slide: 3 },
    ]);
    await edit('letter.docx', 'filled.docx', [
      { do: 'fill', values },
      { do: 'replace', find: 'thirty (30) days', with: 'fourteen (14) days' },
      { do: 'insert', paragraphs: ['Late payment bears interest.'], after: 'Either party' },
      { do: 'replace', find: 'Confidential', with: 'Public' },
      { do: 'footer', text: 'Page {page} of {pages}' },
      { do: 'picture', image: 'logo.png', after: 'Signed in' },
      { do: 'comment', find: 'the invoice', text: 'Which one?' },
    ]);
    await edit(
      'letter.docx',
      'tracked.docx',
      [
        { do: 'replace', find: 'within thirty (30) days', with: 'within fourteen (14) days' },
        { do: 'delete', find: 'Either party' },
        { do: 'insert', paragraphs: ['A new clause.'], after: 'The Client' },
      ],
      { track: true },
    );
    await edit('tracked.docx', 'accepted.docx', [{ do: 'accept' }]);
    await edit('tracked.docx', 'rejected.docx', [{ do: 'reject' }]);
    await convert('pdf', 'letter.docx', 'filled.docx', 'accepted.docx', 'rejected.docx');
    await convert('txt:Text', 'tracked.docx');
    await convert('csv', 'book2.xlsx', 'quarter2.xlsx');
    await convert('pdf', 'deck2.pptx');
  });

  it('a letter has its new words, rows, footer, and picture', async () => {
    const words = await readWords('filled.pdf');
    for (const part of [
      'Agreement with Ümit & Söhne',
      'within fourteen (14) days of the date of the invoice',
      'Late payment bears',
    ]) {
      expect(words).toContain(part);
    }
    for (const part of ['Lamp 80 €', 'Chair 120 €', 'Signed in Łódź', 'Example Ltd, Public', 'Page 1 of 1'])
      expect(words).toContain(part);
    expect(words).not.toMatch(/\{\{|thirty/);
    const { stdout } = await run('pdfimages', ['-list', join(folder, 'filled.pdf')]);
    expect(stdout).toMatch(/ 90 +40 /);
  });

  it('a letter with tracked changes reads as the new one if they are accepted, and as the old one if not', async () => {
    expect(await readWords('accepted.pdf')).toMatch(/within fourteen \(14\) days .* A new clause\. Item/);
    expect(await readWords('rejected.pdf')).toBe(await readWords('letter.pdf'));
    expect(readFileSync(join(folder, 'tracked.txt'), 'utf8')).toContain('A new clause.');
  });

  it('a deck has its slides in their new order, each filled', async () => {
    const words = await readWords('deck2.pdf');
    expect(words).toMatch(/Sales in Łódź .*Lamp 80 .*Chair 120 .*Sales in Rome .*Good morning/);
  });

  it('a workbook has its new values, and results of formulas that only an office program computes', () => {
    const lines = readFileSync(join(folder, 'book2.csv'), 'latin1').trim().split('\n');
    expect(lines.map((line) => line.replace(/(35\.01)\d+/, '$1'))).toEqual([
      'Item,Amount,Double,14',
      'Ümit & Lamp,10,20,35.01',
      expect.stringMatching(/^Chair,25,50,.*2026/) as string,
      'Sofa,7,14,',
      'Total,42,,',
    ]);
  });

  it('a table with appended rows has the totals that an office program computes, wherever they are read', () => {
    const lines = readFileSync(join(folder, 'quarter2.csv'), 'latin1').trim().split('\n');
    const column = (at: number) => lines.map((line) => line.split(',')[at] ?? '');
    expect(column(1).map(Number)).toEqual([Number.NaN, 10, 20, 30, 40, 5, 105, 105]);
    expect(column(9).slice(0, 5)).toEqual(['105', '210', '105', '40', '0']);
  });

  it('the parts that no edit is about are the same, byte for byte', async () => {
    const [before, after] = [
      unpackOffice(await workspace.read('letter.docx')),
      unpackOffice(await workspace.read('tracked.docx')),
    ];
    const different = [...before.keys()].filter((name) => after.get(name)?.equals(before.get(name) ?? Buffer.alloc(0)) !== true);
    expect(different).toEqual(['word/document.xml']);
  });
});
