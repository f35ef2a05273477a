/** From a table of numbers to everything that is made of it, as a scenario for offline-1. */
export const salesCsv = `Month,Region,Revenue,Cost
2026-01,North,1200.50,800
2026-01,South,900,700
2026-02,North,1500,850
2026-02,South,950,640
2026-03,North,2100,1000
2026-03,South,990,650
`;

export const sentence = 'Sales doubled: Ünïcödé Žluťoučký Ελληνικά Русский, 销售额翻了一番。日本語も。';

const markdown = `# Sales report

## Summary

${sentence} See **all** [numbers](https://example.com/numbers).

| Month | Revenue | Note |
|:--|--:|---|
| January | 2,100.50 | begun <b>well</b> & "so" |
| March | 3,090.00 | ${'long words of a cell '.repeat(8)} |

![Revenue by month](chart.png)

- first
  1. nested
- [x] done

\`\`\`
code & <markup>
\`\`\`

> quoted

<!-- pagebreak -->

## Second page

${'A paragraph that fills the page. '.repeat(120)}
`;

const chart = { type: 'line', file: 'sales.csv', x: 'Month', y: ['Revenue'], group_by: 'Region', aggregate: 'sum' };

export const slides = [
  { layout: 'title', title: 'Sales <2026> & "more"', subtitle: sentence },
  {
    layout: 'bullets',
    title: 'Reasons',
    bullets: ['**New** shop', '  in the harbour', '[link](https://example.com/)'],
    notes: 'Pause & smile.',
  },
  { layout: 'chart', title: 'By region', chart, bullets: ['North leads'] },
  { layout: 'chart', title: 'Hours', chart: { type: 'heatmap', labels: ['a', 'b'], series: [{ name: 'x', values: [1, 2] }] } },
  {
    layout: 'table',
    title: 'Numbers',
    table: {
      columns: ['Month', 'Revenue'],
      rows: [
        ['January', 2100.5],
        ['March', '3,090'],
      ],
    },
  },
  { layout: 'image', title: 'The chart', image: 'chart.png', caption: 'Own data' },
  {
    layout: 'two_columns',
    title: 'Two ways',
    columns: [
      { title: 'A', bullets: ['x'] },
      { title: 'B', text: 'y' },
    ],
  },
  { layout: 'quote', text: 'So it is.', by: 'Ada' },
  { layout: 'numbers', title: 'In short', numbers: [{ value: '+47 %', label: 'revenue' }] },
];

const pie = { type: 'pie', title: 'Parts & more', x: 'Region', y: ['Revenue'] };
const sheets = [
  { name: 'Sales', file: 'sales.csv', columns: [{ header: 'Revenue', type: 'currency', total: 'sum' }], charts: [pie] },
  {
    name: "It's & <more>",
    columns: [{ header: 'What' }, { header: 'Value' }, { header: 'When', type: 'date' }],
    rows: [
      ['Sum of North', '=SUMIF(Sales!B2:B7,"North",Sales!C2:C7)', '2026-03-31'],
      [sentence, '=IF(B2>1000,ROUND(B2/3,2),0)', null],
    ],
  },
];

const sitePage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sales 2026</title></head>
<body><h1>Sales 2026</h1><p>${sentence}</p><img src="chart.webp" alt="Revenue by month"></body>
</html>
`;

const steps = [
  { calls: [{ tool: 'write_file', input: { path: 'sales.csv', content: salesCsv } }] },
  { calls: [{ tool: 'make_chart', input: { path: 'chart.png', title: 'Revenue', ...chart } }] },
  { calls: [{ tool: 'make_spreadsheet', input: { files: ['book.xlsx', 'calc.ods', 'book.csv'], sheets } }] },
  { calls: [{ tool: 'make_slides', input: { path: 'deck', title: 'Sales 2026', author: 'Ada', slides } }] },
  {
    calls: [{ tool: 'make_document', input: { files: ['report.pdf', 'word.docx'], markdown, author: 'Ada', title_page: true } }],
  },
  {
    calls: [
      { tool: 'edit_image', input: { image: 'chart.png', output: 'small.webp', operations: [{ do: 'resize', width: 300 }] } },
    ],
  },
  {
    calls: [
      { tool: 'deliver', input: { files: ['report.pdf', 'deck.html', 'book.xlsx', 'chart.png'].map((path) => ({ path })) } },
    ],
  },
  {
    calls: [
      { tool: 'write_file', input: { path: 'site/index.html', content: sitePage } },
      {
        tool: 'edit_image',
        input: { image: 'chart.png', output: 'site/chart.webp', operations: [{ do: 'resize', width: 640 }] },
      },
      { tool: 'publish_website', input: { folder: 'site', title: 'Sales 2026' } },
    ],
  },
];

/** The file with code fences would end the scenario's own, so the document is written as a call's JSON string. */
export const scenario = `\`\`\`scenario\n${JSON.stringify(steps).replaceAll('```', '\\u0060\\u0060\\u0060')}\n\`\`\``;
