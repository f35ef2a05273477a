import { describe, expect, it } from 'vitest';
import { chartSpec } from './chart-spec.ts';
import { findChartRecord, readChartRecord, recordChart } from './chart-record.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9"><rect/></svg>';

describe('what a drawing of a chart was made from', () => {
  it('is written into it and read again, whatever characters it has', () => {
    const spec = chartSpec.parse({ type: 'bar', title: `</metadata><script>"'&amp;` });
    const series = [{ name: '<b>', values: [1, null], points: [] }];
    const made = recordChart(svg, spec, { labels: ['a', '<'], series }, ['#ff0000']);
    expect(made).not.toContain('<script');
    const found = readChartRecord(findChartRecord(made) ?? '');
    expect(found).toMatchObject({ labels: ['a', '<'], series: [{ name: '<b>', values: [1, null] }], colors: ['#ff0000'] });
    expect(found?.spec.title).toBe(spec.title);
  });

  it('is nothing if it is missing, broken, or too large', () => {
    expect(findChartRecord(svg)).toBeNull();
    const values = Array.from({ length: 3_000 }, () => 1);
    const wrong = [
      '',
      '{',
      '[]',
      '{"type":"bar"}',
      '{"type":"pies","labels":["a"],"series":[{"values":[1]}]}',
      JSON.stringify({ type: 'bar', labels: ['a'], series: [{ values }] }),
    ];
    for (const json of wrong) expect(readChartRecord(json), json.slice(0, 40)).toBeNull();
  });
});
