import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { Fault } from '@errand/base/fault.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress, type Press } from '@errand/sandbox/press';
import { findBrowser } from '@errand/sandbox/programs';
import { type Workspace } from '@errand/sandbox/workspace';
import { createMakeChart } from './make-chart.ts';

const tool = createMakeChart(createGenerators(systemClock));
let workspace: Workspace;

useWorkspace('chart', (opened) => {
  workspace = opened;
});

async function make(input: Record<string, unknown>) {
  return await tool.run(tool.input.parse(input), toolContext(workspace));
}

const numbers = { type: 'bar', labels: ['a', 'b'], series: [{ name: 's', values: [1, 2] }] };

describe('make_chart', () => {
  it('draws a picture of numbers in the call', async () => {
    const outcome = await make({ path: 'charts/a.png', ...numbers, title: 'Übersicht 概要' });
    expect(outcome.output).toMatch(/^Made charts\/a\.png \(\d+ (KB|bytes)\)\.$/);
    const png = await workspace.read('charts/a.png');
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 1080]);
  });

  it('draws each series in a panel of its own, all on one scale', async () => {
    const labels = ['2024', '2025', '2026'];
    const series = ['North', 'South', 'West'].map((name, at) => ({ name, values: [1, 2, 30 * (at + 1)] }));
    await make({ path: 'p.svg', type: 'line', labels, series, panels: true, title: 'All' });
    const svg = (await workspace.read('p.svg')).toString();
    for (const text of ['>All<', '>North<', '>South<', '>West<']) expect(svg).toContain(text);
    expect(svg.match(/>75</g)).toHaveLength(3);
    await expect(make({ path: 'p.svg', type: 'pie', labels, series, panels: true })).rejects.toThrow(
      'panels: are for bars, lines',
    );
  });

  it('draws countries by names in several languages and by codes, and says which it does not know', async () => {
    const series = [{ name: 'Orders', values: [5, 3, 2] }];
    await make({
      path: 'm.svg',
      type: 'map',
      labels: ['Deutschland', 'FR', 'United Kingdom'],
      series,
      unit: 't',
      theme: 'report',
    });
    const svg = (await workspace.read('m.svg')).toString();
    expect(svg).toContain('>Deutschland<');
    expect(svg).toMatch(/fill="rgb\(15,76,117\)"/);
    await expect(make({ path: 'm.svg', type: 'map', labels: ['DE', 'Narnia', 'FR'], series })).rejects.toThrow(
      'labels: no map has Narnia; take names of countries or codes such as DE.',
    );
  });

  it('writes words at points, and refuses those of labels that are not there', async () => {
    const spec = { type: 'line', labels: ['May', 'June'], series: [{ name: 'a', values: [1, 4] }] };
    await make({ path: 'n.svg', ...spec, annotations: [{ at: 'June', text: 'New depot' }] });
    expect((await workspace.read('n.svg')).toString()).toContain('>New depot<');
    await expect(make({ path: 'n.svg', ...spec, annotations: [{ at: 'July', text: 'x' }] })).rejects.toThrow(
      'annotations: there is no label "July".',
    );
  });

  it('sets drawings in the font of their theme, which they hold, with the letters that they need', async () => {
    await make({ path: 't.svg', ...numbers, title: 'Отчёт', theme: 'technical' });
    const svg = (await workspace.read('t.svg')).toString();
    expect(svg).toMatch(/<text [^>]*font-family:'Inter'/);
    expect(svg.match(/@font-face\{font-family:"Inter"/g)).toHaveLength(2);
    expect(svg).not.toMatch(/url\((?!data:)/);
    expect(svg).toContain('viewBox="0 0 720 400"');
  });

  it('draws a diagram of a graph that is written as text, without what leads out of it', async () => {
    const source = `digraph { rankdir=LR; stylesheet="http://x.test/a.css"; order [label="Order <1>", URL="http://x.test", tooltip="t"]; order -> invoice [label="30 days", href="javascript:alert(1)"]; p [image="/etc/passwd.png"] }`;
    await make({ path: 'd.svg', type: 'diagram', source, theme: 'technical' });
    const svg = (await workspace.read('d.svg')).toString();
    for (const text of ['>Order &lt;1&gt;<', '>invoice<', '>30 days<']) expect(svg).toContain(text);
    expect(svg).toContain("font-family=\"'Inter'");
    expect(svg.replaceAll(/ xmlns(:\w+)?="[^"]*"/g, '')).not.toMatch(/x\.test|javascript|passwd|<a[ >]|<image|<\?xml/);
    await make({ path: 'd.png', type: 'diagram', source: 'graph { a -- b }', layout: 'circo' });
    expect((await workspace.read('d.png')).toString('latin1', 1, 4)).toBe('PNG');
    await expect(make({ path: 'e.svg', type: 'diagram', source: 'digraph { a -> ' })).rejects.toThrow(
      'source: cannot be drawn: syntax error',
    );
    await expect(make({ path: 'e.svg', type: 'diagram' })).rejects.toThrow('source: is missing');
  });

  it('says where its numbers are from below its title', async () => {
    await make({ path: 's.svg', ...numbers, title: 'Sales', subtitle: 'EUR', source: 'sales.csv, 2025' });
    expect((await workspace.read('s.svg')).toString()).toContain('>EUR · sales.csv, 2025<');
    await expect(make({ path: 's.svg', ...numbers, source: 'digraph {\n a -> b }' })).rejects.toThrow('source: must be one line');
  });

  it('shows the model what it drew', async () => {
    const show = (name: string, picture: Uint8Array) => Promise.resolve({ blobId: 'b', bytes: picture.length, name });
    const { pictures } = await tool.run(tool.input.parse({ path: './c.png', ...numbers }), toolContext(workspace, { show }));
    expect(pictures?.map(({ name }) => name)).toEqual(['c.png']);
  });

  it('draws a CSV file with merged rows', async () => {
    await workspace.write('sales.csv', 'Month,Region,Sales\nJan,N,1\nJan,S,2\nFeb,N,3\nJan,N,5\n');
    await make({ path: 'a.svg', type: 'bar', file: 'sales.csv', group_by: 'Region', aggregate: 'sum' });
    const svg = (await workspace.read('a.svg')).toString();
    for (const text of ['>Jan<', '>Feb<', '>N<', '>S<', '>6<', '>3<']) expect(svg).toContain(text);
    await expect(make({ path: 'a.svg', type: 'bar', file: 'sales.csv', y: ['Cost'] })).rejects.toThrow(
      'y: there is no column "Cost". The columns are "Month", "Region", "Sales".',
    );
  });

  it('leaves out numbers that would stand on the bars next to theirs', async () => {
    const labels = ['Q1', 'Q2', 'Q3', 'Q4'];
    const series = ['a', 'b', 'c', 'd'].map((name, at) => ({ name, values: labels.map((_, q) => 101.5 + at * 10 + q) }));
    const draw = async (count: number, width: number) => {
      await make({ path: 'n.svg', type: 'bar', labels, series: series.slice(0, count), width });
      return (await workspace.read('n.svg')).toString();
    };
    expect(await draw(4, 560)).not.toMatch(/>\d{3}\.\d</);
    for (const svg of [await draw(4, 1400), await draw(1, 560)]) expect(svg).toContain('>104.5<');
  });

  it('treats markup in titles, labels and units as text', async () => {
    const markup = '"><script>alert(1)</script><image href="http://x.test/y"/>{a|b}';
    const unit = '<b>';
    await make({
      path: 'a.svg',
      type: 'bar',
      title: markup,
      labels: [markup, 'b'],
      series: [{ name: markup, values: [1, 2] }],
      unit,
    });
    const svg = (await workspace.read('a.svg')).toString();
    expect(svg).not.toMatch(/<script|<image|<b>|<foreignObject|<a[ >]/);
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).not.toContain('<style');
    expect(svg.replaceAll(/ xmlns(:\w+)?="[^"]*"/g, '')).not.toMatch(/(href|src)="/);
  });

  it('reports what does not fit, and writes nothing', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ ...numbers, path: 'a.gif' }, 'path: "a.gif" must end in .png or .svg.'],
      [{ ...numbers, path: '../a.png' }, 'leads out of the workspace'],
      [{ ...numbers, path: 'a.png', labels: ['a'] }, 'series.0.values: has 2 values, but there are 1 labels.'],
      [{ path: 'a.png', type: 'bar' }, 'series: is missing.'],
      [{ path: 'a.png', type: 'scatter', series: [{ values: [1] }] }, 'needs points'],
      [{ path: 'a.png', type: 'bar', file: 'no.csv' }, 'does not exist'],
      [{ path: 'a.png', type: 'bar', labels: ['a'], series: [{ values: [null] }] }, 'nothing to draw'],
      [{ ...numbers, path: 'a.png', title: '\u{12000}' }, 'no font of this machine has the characters'],
    ];
    for (const [input, problem] of wrong) await expect(make(input)).rejects.toThrow(problem);
    expect(await workspace.list('', 10)).toEqual([]);
  });

  it('takes the colors of a theme of the design kit, on the ground of its page', async () => {
    await make({ path: 'a.svg', ...numbers, theme: 'deck', scale: 1.5, width: 760, height: 480 });
    const svg = (await workspace.read('a.svg')).toString();
    const css = await readFile(new URL('../../../skills/design-kit/kit/themes.css', import.meta.url), 'utf8');
    const accent = /\[data-theme="deck"\] \{[^}]*--accent: light-dark\((#\w{6})/.exec(css)?.[1] ?? 'none';
    expect(svg).toContain(`fill="${accent}"`);
    expect(svg).toContain('font-size:19.5px');
    expect(svg).not.toMatch(/<rect width="760" height="480"[^>]*fill="#ffffff"/);
  });

  it('writes the numbers at all bars with equally many decimals, or at none, also in a chart 100 units high', async () => {
    const readLabels = async (values: readonly number[], more: Record<string, unknown> = {}) => {
      const labels = values.map((_, at) => `L${at}`);
      await make({ path: 'd.svg', type: 'bar', unit: 'kg', labels, series: [{ values }], ...more });
      return [...(await workspace.read('d.svg')).toString().matchAll(/>(−?[\d.,]+k?)\u00a0kg</g)].map(([, text]) => text);
    };
    expect(await readLabels([323, 41.8, -7.25])).toEqual(expect.arrayContaining(['323.00', '41.80', '−7.25']));
    expect(await readLabels([3, 4])).toEqual(expect.arrayContaining(['3', '4']));
    expect(await readLabels([12_500, 41.8])).toEqual(expect.arrayContaining(['12.5k', '41.8']));
    const low = { width: 226, height: 100 };
    expect(await readLabels([323, 41.8], low)).toEqual(expect.arrayContaining(['323.0', '41.8']));
    // Its axis has numbers instead.
    const crowded = await readLabels([91.5, 90, 89, 88, 87, 86, 85, 84], low);
    expect(crowded.filter((text) => text?.includes('.'))).toEqual([]);
    const stacks = [
      { name: 'a', values: [1, 2] },
      { name: 'b', values: [0.25, 0.5] },
    ];
    expect(await readLabels([0, 0], { series: stacks, stacked: true })).toEqual(expect.arrayContaining(['1.25', '2.50']));
    await expect(make({ path: 'd.svg', ...numbers, height: 99 })).rejects.toThrow(/height/);
  });

  it('sorts, draws the way between two sums, lines over bars, and lines across', async () => {
    const labels = ['a', 'b', 'c'];
    const series = [
      { name: 'Sales', values: [2, 9, 4] },
      { name: 'Target', values: [5, 5, 5] },
    ];
    await make({
      path: 'a.svg',
      type: 'bar',
      labels,
      series,
      lines: ['Target'],
      sort: 'descending',
      references: [{ value: 6, label: 'Mean' }],
    });
    const svg = (await workspace.read('a.svg')).toString();
    expect([...svg.matchAll(/>([abc])</g)].map(([, label]) => label)).toEqual(['b', 'c', 'a']);
    expect(svg).toContain('>Mean 6<');
    await make({
      path: 'w.svg',
      type: 'waterfall',
      labels: ['2025', 'Price', 'Costs', '2026'],
      series: [{ values: [10, 3, -5, null] }],
    });
    const steps = (await workspace.read('w.svg')).toString();
    for (const text of ['>10<', '>+3<', '>−5<', '>8<']) expect(steps).toContain(text);
    const closing = { path: 'w.svg', type: 'waterfall', labels: ['2025', 'Price', 'Costs', '2026'] };
    await make({ ...closing, series: [{ values: [3.4, 0.4, -0.9, 2.9] }] });
    const closed = (await workspace.read('w.svg')).toString();
    expect([closed.includes('>2.9<'), closed.includes('>+2.9<')]).toEqual([true, false]);
    await expect(make({ path: 'a.svg', type: 'bar', labels, series, lines: ['Goal'] })).rejects.toThrow(
      'lines: there is no series "Goal"; there are "Sales", "Target"',
    );
    await expect(make({ path: 'a.svg', type: 'waterfall', labels, series })).rejects.toThrow('a waterfall has one series');
  });

  it.each([
    ['horizontal', true, (bar: number, zero: number) => bar < zero],
    ['upright', false, (bar: number, zero: number) => bar > zero],
  ])('puts the number of a bar below zero where the bar ends: %s', async (_, horizontal, isBeyond) => {
    await make({ path: 'a.svg', type: 'bar', horizontal, labels: ['a', 'b'], series: [{ values: [-37, 41] }] });
    const svg = (await workspace.read('a.svg')).toString();
    const placeOf = (text: string) => {
      const [, x = '', y = ''] = new RegExp(`<text [^>]*?translate\\(([\\d.]+) ([\\d.]+)\\)"[^>]*>${text}<`).exec(svg) ?? [];
      return Number(horizontal ? x : y);
    };
    expect([placeOf('−37') > 0, isBeyond(placeOf('−37'), placeOf('0'))]).toEqual([true, true]);
    expect(svg.split('>−37<')).toHaveLength(2);
  });

  it('writes the sum at the end of each stack, also where its last part is missing', async () => {
    const series = [
      { name: 'North', values: [3, 5] },
      { name: 'South', values: [4, null] },
    ];
    const stacks = { path: 'a.svg', type: 'bar', stacked: true, unit: ' t', labels: ['2025', '2026'] };
    await make({ ...stacks, series });
    expect((await workspace.read('a.svg')).toString()).toMatch(/>7 t<[^]*>5 t</);
    const shares = [series[0], { name: 'South', values: [6, 4] }];
    await make({ ...stacks, series: shares });
    expect((await workspace.read('a.svg')).toString()).not.toContain('>9 t<');
  });

  it('names up to six lines at their ends', async () => {
    const series = ['North', 'South'].map((name, at) => ({ name, values: [1 + at, 2 + at * 3] }));
    await make({ path: 'a.svg', type: 'line', labels: ['2025', '2026'], series });
    const svg = (await workspace.read('a.svg')).toString();
    for (const { name } of series) expect(svg.split(`>${name}<`)).toHaveLength(2);
  });
});

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const press = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office: null } }) : null;
afterAll(() => sandbox?.close());

describe.skipIf(press === null)('make_chart with a browser', () => {
  const generators = createGenerators(systemClock);

  async function draw(machine: Press | null, input: Record<string, unknown>) {
    const drawing = createMakeChart(generators, machine);
    const outcome = await drawing.run(drawing.input.parse({ path: 'a.png', ...numbers, ...input }), toolContext(workspace));
    const png = await workspace.read('a.png');
    const { width, height, hasAlpha } = await sharp(png).metadata();
    return { outcome, png, size: [width, height, hasAlpha] };
  }

  it('draws a PNG in the font of its theme, on the ground of its page', async () => {
    const theme = { theme: 'playful', width: 400, height: 300, labels: ['Quarter one', 'Quarter two'] };
    const made = await draw(press, theme);
    expect(made.outcome.output).toMatch(/^Made a\.png \(\d+ (KB|bytes)\)\.$/);
    expect(made.size).toEqual([800, 600, true]);
    const [, , , opacity] = await sharp(made.png).raw().toBuffer();
    expect(opacity).toBe(0);
    const plain = await draw(null, theme);
    expect(plain.size).toEqual([800, 600, true]);
    expect(plain.png.equals(made.png)).toBe(false);
    expect(await workspace.list('.render', 10).catch(() => [])).toEqual([]);
  });

  it('draws it in the usual font if the browser cannot be used', async () => {
    const broken: Press = { run: () => Promise.reject(new Fault('unavailable', 'The page could not be shown.')) };
    expect((await draw(broken, { theme: 'playful', width: 400, height: 300 })).size).toEqual([800, 600, true]);
  });
});

describe('a chart with Chinese labels', () => {
  it('has the characters with it, so that pages show them on every machine', async () => {
    await make({ path: 'a.svg', ...numbers, labels: ['华东', '华南'], theme: 'deck' });
    const svg = (await workspace.read('a.svg')).toString();
    expect(svg).toMatch(/@font-face\{font-family:"Manrope";font-weight:100 900;src:url\([^)]*\);unicode-range:U\+/);
  });
});
