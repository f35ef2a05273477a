import assert from 'node:assert/strict';
import { salesCsv } from '../../../test/artifacts/made-files-scenario.ts';
import { packOffice, wordParts } from '../../../test/support/files/office-samples.ts';
import { countParts, expectAll, expectSeen, fileOf, readOffice } from '../graders.ts';
import { deliver, plainJob, use } from '../job.ts';

const files = { 'sales.csv': salesCsv };
const sales = 'attachments/sales.csv';
const chart = { type: 'line', file: sales, x: 'Month', y: ['Revenue'], group_by: 'Region', aggregate: 'sum' };
const revenue = { header: 'Revenue', type: 'currency', total: 'sum' };
const sheet = {
  name: 'Sales',
  file: sales,
  columns: [revenue],
  charts: [{ type: 'pie', title: 'Parts', x: 'Region', y: ['Revenue'] }],
};
const template = '<w:p><w:r><w:t>Dear {{na</w:t></w:r><w:r><w:t>me}}, your fee is {{fee}}.</w:t></w:r></w:p>';
const report = '# Sales report\n\nRevenue was **7,640.50** in three months.\n\n![Revenue by month](chart.png)\n';

const slides = [
  { layout: 'title', title: 'Sales 2026' },
  { layout: 'section', title: 'Revenue' },
  { layout: 'chart', title: 'By region', chart },
  { layout: 'chart', title: 'In bars', chart: { ...chart, type: 'bar' } },
  { layout: 'bullets', title: 'Reasons', bullets: ['A new shop', 'Lower prices'] },
  { layout: 'table', title: 'Numbers', table: { columns: ['Month', 'Revenue'], rows: [['March', 3090]] } },
  { layout: 'numbers', title: 'In short', numbers: [{ value: '+47 %', label: 'revenue' }] },
  { layout: 'quote', text: 'So it is.', by: 'Ada' },
];

export const officeJobs = [
  plainJob({
    ...{ name: 'workbook', about: 'a csv becomes a workbook with a total and a chart', files },
    task: 'workbook-job: make a workbook of the sales.',
    replies: [use('make_spreadsheet', { files: ['sales.xlsx'], sheets: [sheet] }), deliver('sales.xlsx'), { text: 'Made.' }],
    grade(outcome) {
      const book = fileOf(outcome, 'sales.xlsx');
      expectAll(readOffice(book, /worksheets\/sheet|sharedStrings/), ['7640.5', 'North', '1200.5']);
      assert.equal(countParts(book, /charts\/chart\d+\.xml$/), 1);
    },
  }),
  plainJob({
    ...{ name: 'report', about: 'a csv becomes a Word report with a chart', wire: 'anthropic', files },
    task: 'report-job: write a Word report of the sales, with a chart.',
    replies: [
      use('make_chart', { path: 'chart.png', title: 'Revenue', ...chart }),
      use('make_document', { files: ['report.docx'], markdown: report, title: 'Sales report' }),
      deliver('report.docx'),
      { text: 'Written.' },
    ],
    grade(outcome) {
      const word = fileOf(outcome, 'report.docx');
      expectAll(readOffice(word, /word\/document\.xml/), ['Sales report', '7,640.50', 'Revenue by month']);
      assert.equal(countParts(word, /word\/media\//), 1);
    },
  }),
  plainJob({
    ...{ name: 'deck', about: 'a csv becomes a deck of eight slides with charts', files },
    task: 'deck-job: make a deck of eight slides of the sales.',
    replies: [use('make_slides', { path: 'deck', title: 'Sales 2026', slides }), deliver('deck.pptx'), { text: 'Made.' }],
    grade(outcome) {
      const deck = fileOf(outcome, 'deck.pptx');
      assert.equal(countParts(deck, /ppt\/slides\/slide\d+\.xml$/), 8);
      assert.equal(countParts(deck, /charts\/chart\d+\.xml$/), 2);
      expectAll(readOffice(deck, /ppt\/slides\/slide\d+\.xml$/), ['Lower prices', '3,090', '+47 %', 'So it is.']);
    },
  }),
  plainJob({
    ...{ name: 'template', about: 'a Word template is filled, also a field that is split over runs' },
    files: { 'letter.docx': packOffice(wordParts(template)) },
    task: 'template-job: fill in the letter for Ada, 250 euros.',
    replies: [
      use('edit_office', {
        ...{ path: 'attachments/letter.docx', output: 'ada.docx' },
        edits: [{ do: 'fill', values: { name: 'Ada', fee: '€ 250' } }],
      }),
      deliver('ada.docx'),
      { text: 'Filled in.' },
    ],
    grade(outcome) {
      const words = readOffice(fileOf(outcome, 'ada.docx'), /word\/document\.xml/);
      assert.match(words, /Dear Ada, your fee is € 250\./);
      assert.doesNotMatch(words, /\{\{/);
    },
  }),
  plainJob({
    ...{ name: 'workbook-edit', about: 'a cell of a workbook is changed, and what depends on it', files },
    task: 'workbook-edit-job: correct the revenue of January.',
    replies: [
      use('make_spreadsheet', { files: ['sales.xlsx'], sheets: [sheet] }),
      use('edit_office', {
        path: 'sales.xlsx',
        output: 'right.xlsx',
        edits: [{ do: 'set', sheet: 'Sales', cells: { C2: 2200.5 } }],
      }),
      deliver('right.xlsx'),
      { text: 'Corrected.' },
    ],
    grade(outcome) {
      const cells = readOffice(fileOf(outcome, 'right.xlsx'), /worksheets\/sheet/);
      expectAll(cells, ['2200.5', '8640.5']);
    },
  }),
  plainJob({
    ...{ name: 'header', about: 'the header of a Word file is read' },
    files: { 'letter.docx': packOffice(wordParts('<w:p><w:r><w:t>Body of the letter.</w:t></w:r></w:p>')) },
    task: 'header-job: what stands in the header?',
    replies: [use('read_file', { path: 'attachments/letter.docx' }), { text: 'Read.' }],
    grade: (outcome) => expectSeen(outcome, ['Body of the letter.', 'Confidential, Example Ltd']),
  }),
  plainJob({
    ...{ name: 'chart', about: 'a csv becomes a chart as a picture', wire: 'google', files },
    task: 'chart-job: draw the revenue.',
    replies: [use('make_chart', { path: 'chart.png', ...chart }), deliver('chart.png'), { text: 'Drawn.' }],
    grade: (outcome) => assert.equal(fileOf(outcome, 'chart.png').subarray(1, 4).toString(), 'PNG'),
  }),
  plainJob({
    ...{ name: 'picture', about: 'a picture is made smaller and converted', files },
    task: 'picture-job: make it small, as WebP.',
    replies: [
      use('make_chart', { path: 'chart.png', ...chart }),
      use('edit_image', { image: 'chart.png', output: 'small.webp', operations: [{ do: 'resize', width: 300 }] }),
      deliver('small.webp'),
      { text: 'Made.' },
    ],
    grade: (outcome) => assert.equal(fileOf(outcome, 'small.webp').subarray(8, 12).toString(), 'WEBP'),
  }),
  plainJob({
    ...{ name: 'pdf', about: 'a text becomes a PDF that can be read again', needs: ['browser', 'office'] },
    task: 'pdf-job: write a PDF of the result and check it.',
    replies: [
      use('make_document', { files: ['result.pdf'], markdown: '# Result\n\nThe code word is heliotrope.' }),
      use('read_file', { path: 'result.pdf' }),
      deliver('result.pdf'),
      { text: 'Written.' },
    ],
    grade(outcome) {
      assert.equal(fileOf(outcome, 'result.pdf').subarray(0, 5).toString(), '%PDF-');
      expectSeen(outcome, ['The code word is heliotrope.']);
    },
  }),
  plainJob({
    ...{ name: 'wrong-input', about: 'a wrong input is answered so that the next one is right', wire: 'openai' },
    task: 'wrong-input-job: make a small table.',
    replies: [
      use('make_spreadsheet', { files: ['a.xlsx'], sheets: [{ name: 'a', rows: 'none' }] }),
      (seen) => {
        assert.match(seen.text, /sheets\.0\.rows: .*Expected: /);
        return use('make_spreadsheet', { files: ['a.xlsx'], sheets: [{ name: 'a', columns: [{ header: 'n' }], rows: [[7]] }] });
      },
      deliver('a.xlsx'),
      { text: 'Made.' },
    ],
    grade: (outcome) => expectAll(readOffice(fileOf(outcome, 'a.xlsx'), /worksheets\/sheet/), ['7']),
  }),
];
