import { unzipSync } from 'fflate';
import { readXlsx } from 'hucre';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { type Workspace } from '@errand/sandbox/workspace';
import { createMakeSpreadsheet } from './make-spreadsheet.ts';

const tool = createMakeSpreadsheet(createGenerators(systemClock));
let workspace: Workspace;

useWorkspace('sheets', (opened) => {
  workspace = opened;
});

async function make(input: Record<string, unknown>) {
  return await tool.run(tool.input.parse(input), toolContext(workspace));
}

const sales = {
  name: 'Sales',
  columns: [
    { header: 'Month', type: 'date' },
    { header: 'Net', type: 'number', total: 'sum' },
    { header: 'Gross', type: 'currency' },
  ],
  rows: [
    ['2026-01-01', 100, '=B2*1.19'],
    ['2026-02-01', 200.5, '=B3*1.19'],
  ],
  charts: [{ type: 'line', title: 'Net', x: 'Month', y: ['Net'] }],
};

describe('make_spreadsheet', () => {
  it('writes typed cells, and formulas with their results', async () => {
    const outcome = await make({ files: ['a.xlsx', 'a.ods', 'a.csv'], sheets: [sales] });
    expect(outcome.output).toContain('Made a.xlsx');
    const { sheets } = await readXlsx(await workspace.read('a.xlsx'));
    const [sheet] = sheets;
    expect(sheet?.rows[1]).toEqual([new Date(Date.UTC(2026, 0, 1)), 100, 119]);
    expect(sheet?.rows[3]?.slice(0, 2)).toEqual(['Total', 300.5]);
    const parts = unzipSync(await workspace.read('a.xlsx'));
    expect(Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString()).toContain('<f>B2*1.19</f><v>119</v>');
    expect(Object.keys(parts)).toContain('xl/charts/chart1.xml');
    expect((await workspace.read('a.csv')).toString()).toBe(
      '\ufeffMonth,Net,Gross\r\n2026-01-01,100,119\r\n2026-02-01,200.5,238.595\r\nTotal,300.5,\r\n',
    );
    const ods = unzipSync(await workspace.read('a.ods'));
    expect(Buffer.from(ods['content.xml'] ?? []).toString()).toMatch(/of:=.*office:value="119"/);
  });

  it('makes columns wide enough for the results of their formulas in their formats', async () => {
    const columns = [
      { header: 'Q1', type: 'currency', total: 'sum' },
      { header: 'Q2', type: 'currency' },
    ];
    const rows = [
      [987_654.5, '=A2*10'],
      [987_654.5, '=TODAY()'],
    ];
    await make({ files: ['w.xlsx'], sheets: [{ name: 'W', columns, rows }] });
    const xml = Buffer.from(unzipSync(await workspace.read('w.xlsx'))['xl/worksheets/sheet1.xml'] ?? []).toString();
    const widths = [...xml.matchAll(/<col [^>]*?width="([\d.]+)"/g)].map(([, width]) => Number(width));
    // 1,975,309.00 and 9,876,545.00, and what nobody knows yet.
    expect(widths).toEqual([expect.closeTo(14, 0), expect.closeTo(15, 0)]);
  });

  it('types the values of a CSV file by their format, and none as a formula', async () => {
    await workspace.write('in.csv', 'id,text,n,day\n007,=1+1,"1,200.5",2026-03-01\n008,@x,3,2026-03-02\n');
    await make({
      files: ['b.xlsx', 'b.csv'],
      sheets: [{ name: 'In', file: 'in.csv', columns: [{ header: 'n', total: 'max' }] }],
    });
    const { sheets } = await readXlsx(await workspace.read('b.xlsx'));
    expect(sheets[0]?.rows[1]).toEqual(['007', '=1+1', 1200.5, new Date(Date.UTC(2026, 2, 1))]);
    expect(sheets[0]?.rows[3]?.[2]).toBe(1200.5);
    const xml = Buffer.from(unzipSync(await workspace.read('b.xlsx'))['xl/worksheets/sheet1.xml'] ?? []).toString();
    expect(xml.match(/<f[ >][^<]*/g)).toEqual(['<f>MAX(C2:C3)']);
    expect((await workspace.read('b.csv')).toString()).toContain(`007,"'=1+1",1200.5,2026-03-01\r\n008,"'@x",3,`);
  });

  it('gives columns of a CSV file other headers, by which charts find them', async () => {
    await workspace.write('in.csv', 'cust_nm,net_amt\nAda,3\nBob,4\n');
    const columns = [{ from: 'NET_AMT', header: 'Net amount', total: 'sum' }, { header: 'cust_nm' }];
    const charts = [{ type: 'bar', x: 'cust_nm', y: ['Net amount'] }];
    const { output } = await make({ files: ['r.csv'], sheets: [{ name: 'In', file: 'in.csv', columns, charts }] });
    expect(output).toContain('r.csv: 3 rows of 2 columns.');
    await make({ files: ['r.xlsx', 'r.csv'], sheets: [{ name: 'In', file: 'in.csv', columns, charts }] });
    expect((await workspace.read('r.csv')).toString()).toBe('\ufeffcust_nm,Net amount\r\nAda,3\r\nBob,4\r\nTotal,7\r\n');
    const { sheets } = await readXlsx(await workspace.read('r.xlsx'));
    expect(sheets[0]?.rows[0]).toEqual(['cust_nm', 'Net amount']);
    await expect(
      make({ files: ['s.xlsx'], sheets: [{ name: 'In', file: 'in.csv', columns: [{ from: 'gross', header: 'Gross' }] }] }),
    ).rejects.toThrow('"in.csv" has no column "gross"; it has cust_nm, net_amt.');
    await expect(
      make({ files: ['s.xlsx'], sheets: [{ name: 'In', columns: [{ from: 'a', header: 'A' }], rows: [['x']] }] }),
    ).rejects.toThrow('sheets.0.columns.0.from: names a column of a file.');
  });

  const parts = async (path: string) =>
    Object.fromEntries(
      Object.entries(unzipSync(await workspace.read(path))).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
    );

  it('puts a title above the table, fills formulas down the column, and totals ratios as ratios of totals', async () => {
    const columns = [
      { header: 'Region' },
      { header: 'Revenue', type: 'currency', total: 'sum', show: 'bars' },
      { header: 'Profit', type: 'currency', total: 'sum' },
      { header: 'Margin', type: 'percent', formula: '=C{row}/B{row}', total: 'formula', marks: [{ if: '< 20%', as: 'bad' }] },
    ];
    const rows = [
      ['North', 100, 40],
      ['South', 300, 40],
    ];
    await make({ files: ['t.xlsx', 't.csv'], sheets: [{ name: 'Q3', title: 'Q3', subtitle: 'In euros', columns, rows }] });
    const { sheets } = await readXlsx(await workspace.read('t.xlsx'));
    expect(sheets[0]?.rows[0]?.[0]).toBe('Q3');
    expect(sheets[0]?.rows[3]).toEqual(['Region', 'Revenue', 'Profit', 'Margin']);
    expect(sheets[0]?.rows[6]).toEqual(['Total', 400, 80, 0.2]);
    expect((await workspace.read('t.csv')).toString()).toContain('South,300,40,0.133');
    const xml = (await parts('t.xlsx'))['xl/worksheets/sheet1.xml'] ?? '';
    expect(xml).toContain('<f>C7/B7</f><v>0.2</v>');
    expect(xml).toMatch(/<conditionalFormatting sqref="D5:D7">.*operator="lessThan".*<formula>0.2<\/formula>/s);
    expect(xml).toMatch(/<conditionalFormatting sqref="B5:B6">.*<dataBar>/s);
  });

  it('marks the total of a column that has one, and no empty cell beside totals', async () => {
    const columns = [
      { header: 'Team' },
      { header: 'Members', type: 'integer', marks: [{ if: '< 5', as: 'bad' }] },
      { header: 'Hours', type: 'integer', total: 'sum', marks: [{ if: '< 5', as: 'bad' }] },
    ];
    const rows = [
      ['North', 4, 2],
      ['South', 6, 9],
    ];
    await make({ files: ['m.xlsx'], sheets: [{ name: 'Teams', columns, rows }] });
    const xml = (await parts('m.xlsx'))['xl/worksheets/sheet1.xml'] ?? '';
    expect([...xml.matchAll(/<conditionalFormatting sqref="([^"]+)"/g)].map(([, range]) => range)).toEqual(['B2:B3', 'C2:C4']);
  });

  it('fills bars in cells with one color, and lets narrow sheets grow on paper', async () => {
    const columns = [
      ...[{ header: 'Region' }, { header: 'Revenue', show: 'bars' }],
      { header: 'Costs', show: 'bars', marks: [{ if: '> 90', as: 'bad' }] },
      { header: 'Margin', show: 'scale' },
    ];
    const rows = [['North', 100, 40, 0.6]];
    const wide = Array.from({ length: 12 }, (_, at) => ({ header: `Column ${at}`, width: 20 }));
    const sheets = [
      { name: 'Bars', columns, rows },
      { name: 'Wide', columns: wide, rows: [] },
    ];
    await make({ files: ['bars.xlsx'], sheets });
    const made = await parts('bars.xlsx');
    const xml = made['xl/worksheets/sheet1.xml'] ?? '';
    const ids = [...xml.matchAll(/<cfRule type="dataBar".*?<x14:id>([^<]+)<\/x14:id>/gs)].map(([, id]) => id);
    const solid = [...xml.matchAll(/<x14:cfRule type="dataBar" id="([^"]+)"><x14:dataBar [^>]*gradient="0">/g)].map(
      ([, id]) => id,
    );
    expect(ids).toHaveLength(2);
    expect(solid).toEqual(ids);
    expect([...xml.matchAll(/<xm:sqref>([^<]+)</g)].map(([, range]) => range)).toEqual(['B2:B2', 'C2:C2']);
    new SaxesParser({ xmlns: true }).write(xml).close();
    // Excel repairs files whose colors have no alpha.
    const colors = [...xml.matchAll(/ rgb="([^"]+)"/g)].map(([, color = '']) => color.length);
    expect(new Set(colors)).toEqual(new Set([8]));
    expect(xml).toMatch(/<pageSetup [^>]*orientation="portrait"[^>]*scale="140"/);
    expect(xml).not.toContain('fitToPage="1"');
    expect(made['xl/worksheets/sheet2.xml']).toMatch(
      /fitToPage="(1|true)".*<pageSetup [^>]*orientation="landscape"[^>]*fitToWidth="1"/s,
    );
  });

  it('prints the header, footer, and paper that are asked for, and else the name of the sheet and page numbers', async () => {
    const print = { header: '2026 <R&D> | | {date}', footer: ' | {sheet}, {page} of {pages}', paper: 'letter' };
    await make({
      files: ['p.xlsx'],
      sheets: [
        { ...sales, print },
        { ...sales, name: '2026' },
      ],
    });
    const made = await parts('p.xlsx');
    const sheet = (number: number) => made[`xl/worksheets/sheet${number}.xml`];
    expect(sheet(1)).toContain('<oddHeader>&amp;L&amp;8 2026 &lt;R&amp;&amp;D&gt;&amp;R&amp;8&amp;D</oddHeader>');
    expect(sheet(1)).toContain('<oddFooter>&amp;C&amp;8&amp;A, &amp;P of &amp;N</oddFooter>');
    expect(sheet(1)).toContain('paperSize="1"');
    expect(sheet(2)).toContain('<oddFooter>&amp;L&amp;8&amp;A&amp;R&amp;8&amp;P / &amp;N</oddFooter>');
    expect(sheet(2)).not.toContain('<oddHeader>');
    expect(sheet(2)).toContain('paperSize="9"');
    const unknown = make({ files: ['p.xlsx'], sheets: [{ ...sales, print: { header: '{company}' } }] });
    await expect(unknown).rejects.toThrow('fills in {page}, {pages}, {sheet}, and {date} only');
  });

  it('holds several tables on a sheet, names, choices, and limits, each where formulas find them', async () => {
    const sheet = {
      name: 'Plan',
      columns: [
        { header: 'Task' },
        { header: 'State', choices: ['open', 'done'] },
        { header: 'Hours', type: 'number', min: 0, max: 80, total: 'sum' },
      ],
      rows: [
        ['Paint', 'open', 5],
        ['Clean', 'done', 3],
      ],
      tables: [
        { at: 'E1', columns: [{ header: 'Rate' }], rows: [[40]] },
        { at: 'E5', heading: 'Cost', columns: [{ header: 'Cost' }], rows: [['=SUM(Hours)*Rate']] },
      ],
    };
    const names = [
      { name: 'Hours', range: 'Plan!C2:C3' },
      { name: 'Rate', range: 'Plan!E2' },
    ];
    await make({ files: ['p.xlsx'], names, sheets: [sheet] });
    const { sheets } = await readXlsx(await workspace.read('p.xlsx'));
    expect(sheets[0]?.rows[5]?.[4]).toBe(320);
    const made = await parts('p.xlsx');
    expect(made['xl/workbook.xml']).toMatch(/<definedName name="Rate"[^>]*>'?Plan'?!\$E\$2</);
    expect(made['xl/worksheets/sheet1.xml']).toMatch(/<dataValidation [^>]*type="list"[^>]*sqref="B2:B3"/);
    expect(made['xl/worksheets/sheet1.xml']).toMatch(/<dataValidation [^>]*sqref="C2:C3"/);
    const onTop = { ...sheet, tables: [{ at: 'C4', columns: [{ header: 'x' }], rows: [[1]] }] };
    await expect(make({ files: ['q.xlsx'], sheets: [onTop] })).rejects.toThrow(
      'sheets.0.tables.0.at: lies on a table that ends in row 4',
    );
    await expect(make({ files: ['q.xlsx'], names: [{ name: 'A1', range: 'Plan!C2' }], sheets: [sheet] })).rejects.toThrow(
      '"A1" is a cell',
    );
    await expect(make({ files: ['q.xlsx'], sheets: [sheet] })).rejects.toThrow('uses the name HOURS');
  });

  it('sums another sheet up by formulas that follow its numbers', async () => {
    await workspace.write('s.csv', 'region,quarter,net\nNorth,Q1,10\nSouth,Q1,5\nNorth,Q2,7\nnorth,Q1,1\n');
    const summary = { of: 'Data', by: 'region', across: 'quarter', values: ['net'] };
    const columns = [{ header: 'All', formula: '=SUM(B{row}:C{row})', total: 'sum' }];
    await make({
      files: ['s.xlsx'],
      sheets: [
        { name: 'Data', file: 's.csv' },
        { name: 'By region', summary, columns },
      ],
    });
    const { sheets } = await readXlsx(await workspace.read('s.xlsx'));
    expect(sheets[1]?.rows).toEqual([
      ['region', 'Q1', 'Q2', 'All'],
      ['north', 11, 7, 18],
      ['South', 5, 0, 5],
      ['Total', 16, 7, 23],
    ]);
    expect((await parts('s.xlsx'))['xl/worksheets/sheet2.xml']).toContain(
      `<f>SUMIFS('Data'!$C$2:$C$5,'Data'!$A$2:$A$5,$A2,'Data'!$B$2:$B$5,"Q1")</f>`,
    );
  });

  it('sums up a sheet that stands behind the summary, but none that sums up this one', async () => {
    const data = {
      name: 'Data',
      columns: [{ header: 'k' }, { header: 'n' }],
      rows: [
        ['a', 1],
        ['b', 2],
        ['a', 3],
      ],
    };
    const summary = { of: 'data', by: 'k', values: ['n'] };
    await make({ files: ['f.xlsx'], sheets: [{ name: 'Summary', summary }, data] });
    const { sheets } = await readXlsx(await workspace.read('f.xlsx'));
    expect(sheets.map(({ name }) => name)).toEqual(['Summary', 'Data']);
    expect(sheets[0]?.rows.slice(1)).toEqual([
      ['a', 4],
      ['b', 2],
      ['Total', 6],
    ]);
    const circle = [
      { name: 'A', summary: { ...summary, of: 'B' } },
      { name: 'B', summary: { ...summary, of: 'A' } },
    ];
    await expect(make({ files: ['f.xlsx'], sheets: circle })).rejects.toThrow('"A", or it sums up this one');
    await expect(make({ files: ['f.xlsx'], sheets: [{ name: 'A', summary }] })).rejects.toThrow('there is no other sheet "data"');
  });

  const orders = {
    name: 'Orders',
    columns: [
      { header: 'Date', type: 'date' },
      { header: 'Region' },
      { header: 'Net' },
      { header: 'Month', formula: '=YEAR(A{row})*100+MONTH(A{row})' },
    ],
    rows: [
      ['2025-11-30', 'South', 5],
      ['2026-01-01', 'North', 10],
      ['2026-01-31', 'North', 2],
      ['2026-02-01', 'South', 40],
    ],
  };

  it.each([
    ['month', ['2025-11', '2025-12', '2026-01', '2026-02'], [5, 0, 0, 40], [0, 0, 12, 0]],
    ['quarter', ['2025 Q4', '2026 Q1'], [5, 40], [0, 12]],
    ['year', ['2025', '2026'], [5, 40], [0, 12]],
  ])('sums up by %s of a column of dates, without gaps', async (period, headers, south, north) => {
    const across = { of: 'Orders', by: 'Region', across: 'Date', values: ['Net'], period };
    const by = { of: 'Orders', by: 'Date', values: ['Net'], period };
    await make({ files: ['p.xlsx'], sheets: [{ name: 'Across', summary: across }, { name: 'By', summary: by }, orders] });
    const { sheets } = await readXlsx(await workspace.read('p.xlsx'));
    expect(sheets[0]?.rows.slice(0, 3)).toEqual([
      ['Region', ...headers],
      ['South', ...south],
      ['North', ...north],
    ]);
    expect(sheets[1]?.rows.slice(1, -1)).toEqual(headers.map((header, at) => [header, (south[at] ?? 0) + (north[at] ?? 0)]));
  });

  it('sorts a summary by its numbers, and by a column of formulas', async () => {
    const sheet = (summary: object) => ({
      name: JSON.stringify(summary).slice(0, 20).replaceAll(/\W/g, ''),
      summary: { of: 'Orders', values: ['Net'], ...summary },
    });
    const summaries = [
      { sort: 'largest', by: 'Region' },
      { sort: 'smallest', by: 'Month' },
      { sort: 'name', by: 'Region', how: 'count' },
      { how: 'average', by: 'Region', sort: 'largest', across: 'Month' },
    ];
    await make({ files: ['o.xlsx'], sheets: [...summaries.map(sheet), orders] });
    const { sheets } = await readXlsx(await workspace.read('o.xlsx'));
    const columns = sheets.slice(0, 4).map(({ rows }) => rows.slice(1).map(([first]) => first));
    expect(columns).toEqual([
      ['South', 'North', 'Total'],
      [202511, 202601, 202602, 'Total'],
      ['North', 'South', 'Total'],
      ['South', 'North'],
    ]);
  });

  it('sorts numbers by name as numbers before texts, and dates as dates', async () => {
    const keys = [3, 'b10', 1.5, -5, '2026-02-01', 'b9', -10, 1.25, '2026-01-01'];
    const isDate = (key: string | number) => String(key).startsWith('2026');
    const columns = [{ header: 'k' }, { header: 'n' }];
    const data = { name: 'Data', columns, rows: keys.filter((key) => !isDate(key)).map((key) => [key, 1]) };
    const dates = {
      name: 'Dates',
      columns: [{ header: 'k', type: 'date' }, { header: 'n' }],
      rows: keys.filter(isDate).map((key) => [key, 1]),
    };
    const sheet = (of: string) => ({ name: `By ${of}`, summary: { of, by: 'k', values: ['n'], sort: 'name' } });
    await make({ files: ['n.xlsx'], sheets: [data, dates, sheet('Data'), sheet('Dates')] });
    const { sheets } = await readXlsx(await workspace.read('n.xlsx'));
    const labels = sheets.slice(2).map(({ rows }) => rows.slice(1, -1).map(([first]) => first));
    expect(labels).toEqual([
      [-10, -5, 1.25, 1.5, 3, 'b9', 'b10'],
      [new Date('2026-01-01'), new Date('2026-02-01')],
    ]);
  });

  it('reads columns of formulas over sheets that stand behind the summary, wherever these are', async () => {
    const priced = {
      name: 'Sales',
      columns: [{ header: 'Region' }, { header: 'Net' }, { header: 'EUR', formula: '=B{row}*Rates!B2*Share!B2' }],
      rows: [
        ['North', 10],
        ['South', 40],
      ],
    };
    const summary = { of: 'Sales', by: 'Region', values: ['EUR'], sort: 'largest' };
    const share = { name: 'Share', summary: { of: 'Rates', by: 'Name', values: ['Rate'] } };
    const rates = { name: 'Rates', columns: [{ header: 'Name' }, { header: 'Rate' }], rows: [['USD', 2]] };
    await make({ files: ['l.xlsx'], sheets: [{ name: 'S', summary }, priced, share, rates] });
    const { sheets } = await readXlsx(await workspace.read('l.xlsx'));
    expect(sheets[0]?.rows.slice(1)).toEqual([
      ['South', 160],
      ['North', 40],
      ['Total', 200],
    ]);
    const circle = [{ name: 'Share', summary }, priced, rates];
    await expect(make({ files: ['l.xlsx'], sheets: circle })).rejects.toThrow(
      'sheets.0.summary: reads formulas that read "Share", which is this sheet or needs it first.',
    );
    const wrong = { ...rates, rows: [['=USD(', 2]] };
    await expect(make({ files: ['l.xlsx'], sheets: [{ name: 'S', summary }, priced, share, wrong] })).rejects.toThrow(
      /^sheets\.3\.rows\.0\.0: [^\n]*$/,
    );
  });

  it('says what a summary cannot read: a column that only a spreadsheet program computes, or periods without dates', async () => {
    const columns = [...orders.columns, { header: 'Later', formula: '=NETWORKDAYS(A{row},A{row})' }];
    const sheets = (summary: object) => [
      { name: 'S', summary: { of: 'Orders', values: ['Net'], ...summary } },
      { ...orders, columns },
    ];
    await expect(make({ files: ['p.xlsx'], sheets: sheets({ by: 'Region', period: 'month' }) })).rejects.toThrow(
      'sheets.0.summary.period: needs a column of dates',
    );
    const unknown = sheets({ by: 'Later' });
    await expect(make({ files: ['p.xlsx'], sheets: unknown })).rejects.toThrow('"Later", of which Orders!E2');
  });

  it('says which cell keeps dates from being put together, and how many rows without a date are left out', async () => {
    const sheets = (last: string | null, type: 'auto' | 'date') => {
      const columns = [{ header: 'When', type }, { header: 'Net' }];
      const rows = [
        ['2026-01-31', 5],
        ['2026-02-01', 10],
        [last, 2],
        [null, null],
      ];
      return [
        { name: 'S', summary: { of: 'Orders', by: 'When', values: ['Net'], period: 'month' } },
        { name: 'Orders', columns, rows },
      ];
    };
    const makeOf = (last: string | null, type: 'auto' | 'date') => make({ files: ['d.xlsx'], sheets: sheets(last, type) });
    await expect(makeOf('open', 'auto')).rejects.toThrow('sheets.0.summary.period: needs dates only, but Orders!A4 is "open".');
    await expect(makeOf('2026-02-02', 'auto')).rejects.toThrow('needs a column of dates in by or across, with type: "date".');
    expect((await makeOf(null, 'date')).output).toContain('sheets.0.summary leaves out 1 row without "When".');
    expect((await makeOf('2026-02-02', 'date')).output).not.toContain('leaves out');
  });

  it('names all problems of a workbook at once, and none that only follows from another', async () => {
    const sheets = [
      { name: 'Sum', summary: { of: 'Wrong', by: 'k', values: ['n'] } },
      {
        name: 'a/b',
        rows: [
          ['=SUM(', 1],
          ['=A1+', 2],
        ],
      },
      {
        name: 'Wrong',
        columns: [
          { header: 'k', formula: '=1+' },
          { header: 'n', formula: '=(' },
        ],
        rows: [[null, null]],
      },
      { name: 'Sum 2', summary: { of: 'Nowhere', by: 'k', values: ['n'] } },
    ];
    const said = await make({ files: ['f.xlsx'], sheets }).then(String, (error: unknown) =>
      error instanceof Error ? error.message : '',
    );
    const fields = said.split('\n').map((line) => line.slice(0, line.indexOf(':')));
    expect(fields.toSorted()).toEqual([
      'sheets.1.name',
      'sheets.1.rows.0.0',
      'sheets.1.rows.1.0',
      'sheets.2.columns.0.formula',
      'sheets.2.columns.1.formula',
      'sheets.3.summary.of',
    ]);
  });

  it('names the first twelve problems of all sheets, cell by cell, and counts the others', async () => {
    const columns = [
      { header: 'n', type: 'number' },
      { header: 'd', type: 'date' },
    ];
    const wrong = (name: string, count: number) => ({ name, columns, rows: Array.from({ length: count }, () => ['x', 'y']) });
    const sheets = [wrong('A', 2), wrong('B', 20), wrong('C', 20)];
    const said = await make({ files: ['f.xlsx'], sheets }).then(String, (error: unknown) =>
      error instanceof Error ? error.message : '',
    );
    const lines = said.split('\n');
    expect(lines).toHaveLength(13);
    expect(lines.slice(0, 5).map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      ...['sheets.0.rows.0.0', 'sheets.0.rows.0.1', 'sheets.0.rows.1.0', 'sheets.0.rows.1.1', 'sheets.1.rows.0.0'],
    ]);
    expect(lines[12]).toBe('and 72 more problems');
  });

  it('keeps formulas of newer programs in the form in which these know them', async () => {
    const rows = [
      ['a', '=LET(x,SUM(D2:D9),x*2)'],
      ['b', '=XLOOKUP("a",A2:A3,D2:D3)'],
      ['c', '=SORT(UNIQUE(A2:A4))'],
    ];
    const { output } = await make({
      files: ['n.xlsx'],
      sheets: [{ name: 'S', columns: [{ header: 'k' }, { header: 'v' }], rows }],
    });
    expect(output).toContain('3 formulas have no value yet');
    expect(output).toContain('empty cells: S!B2, S!B3, S!B4.');
    const xml = (await parts('n.xlsx'))['xl/worksheets/sheet1.xml'] ?? '';
    expect(xml).toContain('<f>_xlfn.LET(_xlpm.x,SUM(D2:D9),_xlpm.x*2)</f>');
    expect(xml).toContain('<f>_xlfn.XLOOKUP("a",A2:A3,D2:D3)</f>');
    expect(xml).toMatch(/<c [^>]*cm="1"[^>]*><f t="array" ref="B4">_xlfn._xlws.SORT\(_xlfn.UNIQUE\(A2:A4\)\)<\/f>/);
    const hidden = { name: 'S', rows: [['=LET(w,WEBSERVICE,w("http://x"))']] };
    await expect(make({ files: ['h.xlsx'], sheets: [hidden] })).rejects.toThrow('uses WEBSERVICE');
  });

  it('treats markup in headers, cells and names as text', async () => {
    const hostile = `"'><script>&\u0000\u0007]]></t></is>`;
    const columns = [
      { header: hostile, type: 'text' },
      { header: 'n', format: '0" x&y"' },
    ];
    const charts = [{ type: 'bar', title: hostile, x: hostile.replaceAll(/\p{Cc}/gu, ''), y: ['n'] }];
    await make({
      files: ['c.xlsx', 'c.ods'],
      title: hostile,
      sheets: [{ name: `a'b&<c>`, columns, rows: [[hostile, 1]], charts }],
    });
    for (const file of ['c.xlsx', 'c.ods']) {
      for (const [name, bytes] of Object.entries(unzipSync(await workspace.read(file)))) {
        if (/\.(xml|rels)$/.test(name)) new SaxesParser().write(Buffer.from(bytes).toString()).close();
      }
    }
    const { sheets } = await readXlsx(await workspace.read('c.xlsx'));
    expect(sheets[0]).toMatchObject({ name: `a'b&<c>` });
    expect(sheets[0]?.rows[1]?.[0]).toBe(`"'><script>&]]></t></is>`);
  });

  it('names the invalid cell', async () => {
    const one = (rows: unknown[][], columns: unknown[] = [{ header: 'a', type: 'date' }]) => ({
      sheets: [{ name: 'S', columns, rows }],
    });
    const wrong: [Record<string, unknown>, string][] = [
      [one([['yesterday']]), 'sheets.0.rows.0.0: "yesterday" is not of the column\'s type date'],
      [one([['=WEBSERVICE("x")']]), 'sheets.0.rows.0.0: formula: "=WEBSERVICE(\\"x\\")" uses WEBSERVICE'],
      [one([["=cmd|'/C calc'!A0"]]), 'names another file, a program or an array'],
      [one([['2026-01-01', 2]]), 'a row has 2 cells, but there are 1 columns'],
      [{ sheets: [{ name: 'a/b', rows: [[1]] }] }, 'sheets.0.name: "a/b" cannot name a sheet'],
      [
        {
          sheets: [
            { name: 'S', rows: [[1]] },
            { name: 's', rows: [[1]] },
          ],
        },
        'two sheets named "s"',
      ],
      [{ sheets: [{ name: 'S' }] }, 'neither columns nor rows nor a file'],
      [{ sheets: [{ ...sales, charts: [{ type: 'bar', x: 'Month', y: ['Nett'] }] }] }, 'charts.0.y: there is no column "Nett"'],
    ];
    for (const [input, problem] of wrong) await expect(make({ files: ['x.xlsx'], ...input }), problem).rejects.toThrow(problem);
    expect(await workspace.list('', 10)).toEqual([]);
  });

  it('reads a hundred thousand rows of a file', async () => {
    await workspace.write('big.csv', `a,b,c\n${'1,two,3.5\n'.repeat(100_000)}`);
    const outcome = await make({
      files: ['big.csv'],
      sheets: [{ name: 'Big', file: 'big.csv', columns: [{ header: 'a', total: 'sum' }] }],
    });
    expect(outcome.status).toBe('success');
    expect((await workspace.read('big.csv')).toString()).toMatch(/\r\n100000,Total,\r\n$/);
  });
});
