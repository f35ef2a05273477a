import { writeFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { recordChart } from '../charts/chart-record.ts';
import { chartSpec } from '../charts/chart-spec.ts';
import { makePageDeck } from './page-deck-generator.ts';

interface Given {
  labels: string[];
  series: { name: string; values: (number | null)[] }[];
  [field: string]: unknown;
}

const quarters = ['Q1', 'Q2', 'Q3', 'Q4'];
const sales = { name: 'Sales', values: [12, 15, 14, 19] };
const margin = { name: 'Margin', values: [3, 5, 4, 8] };
const steps = ['Last year', 'Price', 'Volume', 'Costs', 'This year'];

const charts: Record<string, Given> = {
  combined: { type: 'bar', labels: quarters, series: [sales, margin], lines: ['Margin'] },
  target: { type: 'bar', labels: quarters, series: [sales], references: [{ value: 16, label: 'Target' }], unit: '%' },
  waterfall: { type: 'waterfall', labels: steps, series: [{ name: 'Profit', values: [100, 30, 2, -25, null] }], unit: '$' },
  lines: { type: 'line', labels: quarters, series: [sales, margin], references: [{ value: 10 }] },
  sunk: { type: 'waterfall', labels: ['a', 'b', 'c'], series: [{ name: 'x', values: [10, -30, 5] }] },
  lying: { type: 'bar', horizontal: true, labels: quarters, series: [sales], references: [{ value: 16 }] },
  noted: { type: 'line', labels: quarters, series: [sales], annotations: [{ at: 'Q2', text: 'Fair' }] },
};

const frame = { x: 80, y: 80, width: 1_120, height: 560 };
const colors = {
  ...{ ground: '#ffffffff', ink: '#111827ff', soft: '#4b5563ff', line: '#d1d5dbff', accent: '#0b57b0ff' },
};

async function makeDeck(language = 'en') {
  const drawings = Object.entries(charts).map(([name, { labels, series, ...fields }]) => {
    const full = series.map((one) => ({ ...one, points: [] }));
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9"></svg>';
    const ink = { good: '#11aa55', bad: '#cc2211' };
    return [name, recordChart(svg, chartSpec.parse(fields), { labels, series: full }, [], ink)] as const;
  });
  const slides = drawings.map(([name, svg]) => ({
    ...{ kind: 'content', ground: null, groundPicture: null, notes: '' },
    elements: [{ kind: 'picture', frame, path: `${name}.png`, source: `${name}.svg`, chart: '', description: name }],
    svg,
  }));
  const fonts = { head: 'Inter', text: 'Inter' };
  const deck = { width: 1280, height: 720, title: 'Charts', language, colors, fonts, slides };
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const files = new Map<string, Uint8Array>([
    ['deck.json', Buffer.from(JSON.stringify(deck))],
    ...drawings.map(([name, svg]) => [`${name}.svg`, Buffer.from(svg)] as const),
  ]);
  const readFile = (path: string) => Promise.resolve(files.get(path) ?? dot);
  const { files: made } = await makePageDeck({ path: 'deck.pptx', data: 'deck.json' }, readFile, () => undefined);
  const bytes = made[0]?.bytes ?? new Uint8Array();
  const keep = process.env['ERRAND_TEST_PICTURES'];
  if (keep !== undefined) writeFileSync(`${keep}/native-charts.pptx`, bytes);
  const parts = unzipSync(bytes);
  const theme = Buffer.from(parts['ppt/theme/theme1.xml'] ?? []).toString();
  const found = Object.keys(parts).filter((name) => /^ppt\/charts\/chart\d+\.xml$/.test(name));
  const texts = found.toSorted().map((name) => {
    const text = Buffer.from(parts[name] ?? []).toString();
    new SaxesParser().write(text).close();
    return text;
  });
  return { charts: texts, theme };
}

const [combined = '', target = '', waterfall = '', lines = '', ...others] = (await makeDeck()).charts;

describe('charts that an office draws itself', () => {
  it('are bars with lines over them, on the same axes, and a legend', () => {
    expect(combined).toMatch(/<c:barChart>[^]*Sales[^]*<\/c:barChart><c:lineChart>[^]*Margin[^]*<\/c:lineChart><c:catAx>/);
    expect(combined.match(/<c:axId val="1"\/><c:axId val="2"\/>/g)).toHaveLength(2);
    expect(combined).toContain('<c:legend>');
  });

  it('are bars and lines with targets across them, named at their ends and not in the legend', () => {
    expect(target).toMatch(/<c:lineChart>[^]*Target 16%[^]*<a:prstDash val="dash"\/>[^]*<c:showSerName val="1"\/>/);
    // Above the last bar that it is higher than, the third.
    expect(target).toMatch(/<c:dLbl><c:idx val="2"\/>[^]*<c:showSerName val="1"\/>/);
    expect(target).not.toContain('<c:legend>');
    expect(lines.match(/<c:lineChart>/g)).toHaveLength(1);
    expect(lines.match(/<c:showSerName val="1"\/>/g)).toHaveLength(3);
  });

  it('are waterfalls: bars in the colors of rise and fall upon bars that are not seen, with signs', () => {
    const [ground = '', total = '', rise = '', fall = ''] = waterfall.match(/<c:ser>.*?<\/c:ser>/g) ?? [];
    const valuesOf = (series: string) =>
      [...(/<c:val>.*/.exec(series)?.[0].matchAll(/<c:pt idx="(\d)"><c:v>([^<]+)/g) ?? [])].map(([, at, value]) => [
        Number(at),
        Number(value),
      ]);
    expect(ground).toContain('<c:spPr><a:noFill/></c:spPr>');
    expect(valuesOf(ground)).toEqual([
      [0, 0],
      [1, 100],
      [2, 130],
      [3, 107],
      [4, 0],
    ]);
    expect(valuesOf(total)).toEqual([
      [0, 100],
      [4, 107],
    ]);
    expect(valuesOf(rise)).toEqual([
      [1, 30],
      [2, 2],
    ]);
    expect(valuesOf(fall)).toEqual([[3, 25]]);
    expect(rise).toMatch(/11AA55[^]*formatCode="&quot;\+&quot;&quot;\$&quot;#/);
    expect(fall).toMatch(/CC2211[^]*formatCode="&quot;−&quot;/);
    // The number of a step lower than a line is dark, because it reaches onto the ground.
    expect(rise).toMatch(/<c:dLbl><c:idx val="2"\/>[^]*<a:schemeClr val="tx1"\/>[^]*<\/c:dLbl>[^]*<a:schemeClr val="bg1"\/>/);
    expect(waterfall).not.toContain('<c:legend>');
  });

  it('are none where only a picture shows them: below zero, lines across bars that lie, words at points', () => {
    expect(others).toEqual([]);
  });
});

it('a deck in Chinese names the font of its characters', async () => {
  expect((await makeDeck('zh-CN')).theme).toContain('<a:latin typeface="Inter"/><a:ea typeface="Microsoft YaHei"/>');
  expect((await makeDeck()).theme).toContain('<a:latin typeface="Inter"/><a:ea typeface=""/>');
});
