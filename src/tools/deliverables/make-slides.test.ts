import { unzipSync } from 'fflate';
import { parseHTML } from 'linkedom';
import { SaxesParser } from 'saxes';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress } from '@errand/sandbox/press';
import { findBrowser } from '@errand/sandbox/programs';
import { type Workspace } from '@errand/sandbox/workspace';
import { createRender } from '../pages/render.ts';
import { createMakeSlides } from './make-slides.ts';

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const press = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office: null } }) : null;

afterAll(() => sandbox?.close());

const tool = createMakeSlides(createGenerators(systemClock));
let workspace: Workspace;

useWorkspace('slides', (opened) => {
  workspace = opened;
});

async function make(input: Record<string, unknown>) {
  return await tool.run(tool.input.parse({ path: 'deck', ...input }), toolContext(workspace));
}

/** The part of a page that is checked here. */
interface PageElement {
  textContent: string;
  attributes: Iterable<{ name: string; value: string }>;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): PageElement[];
}

function readPage(html: string): PageElement {
  return (parseHTML(html) as unknown as { document: PageElement }).document;
}

const show = (name: string, picture: Uint8Array) => Promise.resolve({ blobId: 'b', bytes: picture.length, name });

const page = async () => (await workspace.read('deck.html')).toString();

/** The XML of every part, each checked to be well-formed. */
async function readParts(): Promise<[string, string][]> {
  const parts = Object.entries(unzipSync(await workspace.read('deck.pptx')));
  return parts.flatMap(([name, bytes]): [string, string][] => {
    if (!/\.(xml|rels)$/.test(name)) return [];
    const text = Buffer.from(bytes).toString();
    new SaxesParser().write(text).close();
    return [[name, text]];
  });
}

describe('make_slides', () => {
  it('creates a page and a presentation of one deck, and links them', async () => {
    const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0a0' } })
      .jpeg()
      .toBuffer();
    await workspace.write('a.jpg', photo);
    await workspace.write('s.csv', 'q,sales\nQ1,1\nQ2,2\n');
    const outcome = await make({
      path: 'deck.pptx',
      title: 'Sales',
      slides: [
        { layout: 'title', title: 'Sales doubled' },
        { layout: 'bullets', title: 'Why', bullets: ['**New** shop', '  in the harbour'], notes: 'Pause here.' },
        { layout: 'chart', title: 'How', chart: { type: 'bar', file: 's.csv' } },
        { layout: 'chart', title: 'When', chart: { type: 'heatmap', labels: ['a'], series: [{ name: 'b', values: [1] }] } },
        { layout: 'table', title: 'Table', table: { columns: ['a', 'b'], rows: [['x', 1234.5]] } },
        { layout: 'image', title: 'Picture', image: 'a.jpg', caption: 'Green' },
        { layout: 'two_columns', title: 'Two', columns: [{ title: 'A', text: 'x' }, { image: 'a.jpg' }] },
        { layout: 'quote', text: 'So it is.', by: 'Ada' },
        { layout: 'numbers', title: 'In short', numbers: [{ value: '+100 %', label: 'sales' }] },
      ],
    });
    const forms = { html: 'deck.html', pptx: 'deck.pptx' };
    expect(outcome).toMatchObject({ status: 'success', made: [{ kind: 'slides', path: 'deck.html', forms }] });
    const document = readPage(await page());
    expect(document.querySelectorAll('section')).toHaveLength(9);
    expect(document.querySelector('#s2 aside')?.textContent).toBe('Pause here.');
    const parts = new Map(await readParts());
    expect([...parts.keys()].filter((name) => /slides\/slide\d+\.xml$/.test(name))).toHaveLength(9);
    expect([...parts.keys()].filter((name) => /charts\/chart\d+\.xml$/.test(name))).toHaveLength(1);
    expect(parts.get('ppt/slides/slide5.xml')).toContain('1,234.5');
  });

  it('says the language of its texts, and names the font of Chinese characters', async () => {
    const slides = [{ layout: 'bullets', title: '增长', bullets: ['lang="en-US" 收入'] }];
    await make({ path: 'deck.pptx', title: '增长', language: 'zh-CN', slides });
    const slide = new Map(await readParts()).get('ppt/slides/slide1.xml') ?? '';
    expect(slide).toMatch(/<a:rPr lang="zh-CN"/);
    expect(slide).not.toContain(' lang="en-US"');
    expect([...slide.matchAll(/<a:ea typeface="([^"]*)"/g)].map(([, font]) => font)).toContain('Microsoft YaHei');
    expect(slide).toContain('lang=&quot;en-US&quot; 收入');
    await make({ path: 'deck.pptx', title: 'Growth', language: 'de', slides });
    const german = new Map(await readParts()).get('ppt/slides/slide1.xml') ?? '';
    expect([german.includes('lang="de"'), german.includes('YaHei')]).toEqual([true, false]);
  });

  it('draws waterfalls and bars with lines as charts that can be edited', async () => {
    const labels = ['Before', 'Won', 'Lost', 'After'];
    const bars = { name: 'Sales', values: [4, 5, 6, 7] };
    await make({
      title: 'Sales',
      slides: [
        {
          layout: 'chart',
          title: 'Way',
          chart: { type: 'waterfall', labels, series: [{ values: [10, 5, -3, null] }], unit: '$' },
        },
        {
          ...{ layout: 'chart', title: 'Both' },
          chart: { type: 'bar', labels, series: [bars, { ...bars, name: 'Goal' }], lines: ['Goal'], references: [{ value: 5 }] },
        },
      ],
    });
    const charts = (await readParts()).filter(([name]) => /charts\/chart\d+\.xml$/.test(name)).map(([, text]) => text);
    expect(charts).toHaveLength(2);
    const [way = '', both = ''] = charts;
    expect(way).toMatch(/<c:grouping val="stacked"\/>[^]*Ground[^]*Total[^]*Increase[^]*Decrease/);
    expect(way).toMatch(/Won\s+\+\$5/);
    expect(way).toMatch(/Lost\s+−\$3/);
    expect(both).toMatch(/<c:barChart>[^]*Sales[^]*<\/c:barChart>[^]*<c:lineChart>[^]*Goal[^]*<\/c:lineChart>/);
  });

  it('treats markup in every field as text, and refers to nothing external', async () => {
    const hostile = `"'><script>alert(1)</script></section><img src=x onerror=alert(2)>&amp;\u0001\u202e]]>`;
    const cells = [[hostile, 1]];
    const chart = {
      type: 'bar',
      title: hostile,
      labels: [hostile],
      series: [{ name: hostile, values: [1] }],
      unit: `"'<b>`,
      y_title: hostile,
    };
    await make({
      title: hostile,
      author: hostile,
      slides: [
        { layout: 'title', title: hostile, subtitle: hostile },
        {
          layout: 'bullets',
          title: hostile,
          bullets: [hostile, '[x](javascript:alert(1))', '[y](https://x.test/"a)'],
          notes: hostile,
        },
        { layout: 'chart', title: hostile, chart },
        { layout: 'table', title: hostile, table: { columns: [hostile, 'n'], rows: cells } },
      ],
    });
    const html = await page();
    const document = readPage(html);
    expect(document.querySelectorAll('script')).toHaveLength(1);
    expect(document.querySelectorAll('section')).toHaveLength(4);
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on/);
        if (name === 'src') expect(value).toMatch(/^data:image\//);
        if (name === 'href') expect(value).toBe('https://x.test/%22a');
      }
    }
    expect(html.match(/https?:\/\/[^"'\s<]+/g)).toEqual(['https://x.test/%22a']);
    for (const [name, text] of await readParts()) {
      const targets = [...text.matchAll(/Target="([^"]+)"[^>]*TargetMode="External"/g)].map(([, target]) => target);
      expect(
        targets.filter((target) => target !== 'https://x.test/%22a'),
        name,
      ).toEqual([]);
      expect(text, name).not.toContain('<script');
    }
  });

  it('names what is missing or too much', async () => {
    const many = Array.from({ length: 14 }, () => 'word '.repeat(95));
    const wrong: [Record<string, unknown>, string][] = [
      [{ layout: 'bullets', title: 'x' }, 'slides.0.bullets: is missing'],
      [{ layout: 'chart', title: 'x' }, 'slides.0.chart: is missing'],
      [{ layout: 'chart', title: 'x', chart: { type: 'bar' } }, 'slides.0.chart: series: is missing'],
      [{ layout: 'bullets', title: 'x', bullets: many }, 'slides.0.bullets: is too much for one slide'],
      [{ layout: 'image', title: 'x', image: '../x.png' }, 'leads out of the workspace'],
      [{ layout: 'section' }, 'slides.0.title: is missing'],
    ];
    for (const [slide, problem] of wrong) await expect(make({ slides: [slide] }), problem).rejects.toThrow(problem);
    await expect(make({ path: '../deck', slides: [{ layout: 'title' }] })).rejects.toThrow('leads out of the workspace');
    expect(await workspace.list('', 10)).toEqual([]);
  });
});

describe.skipIf(press === null)('make_slides with a browser', () => {
  it('shows the model its slides and finds nothing to mend in a sound deck', async () => {
    const looking = createMakeSlides(createGenerators(systemClock), press);
    const slides = [
      { layout: 'title', title: 'More room', subtitle: 'For the evening' },
      {
        layout: 'bullets',
        title: 'It is full from five on',
        bullets: ['97 % of the seats are taken', '141 evenings with a queue'],
      },
    ];
    const input = looking.input.parse({ path: 'd/deck', title: 'More room', slides });
    const { output, pictures } = await looking.run(input, toolContext(workspace, { show }));
    expect(output).toMatch(/^Made d\/deck\.html[^]*Nothing is cut off/);
    expect(pictures?.map(({ name }) => name)).toEqual(['.render/d-deck-1.png', '.render/d-deck-2.png']);
    expect(output).not.toContain('are shown');
  });

  it('says how many slides are shown, if not all, and how to see the others', async () => {
    if (!press) throw new Error('there is no browser');
    const looking = createMakeSlides(createGenerators(systemClock), press);
    const render = createRender(press);
    const titles = Array.from({ length: 8 }, (_, at) => `Part ${at + 1}`);
    const sections = titles.map((title) => `<section class="slide"><h2>${title}</h2></section>`);
    const style =
      '<style>body { margin: 0 } section { width: 1280px; height: 720px } h2 { margin: 0; padding-top: 600px }</style>';
    await workspace.write('p.html', `<!doctype html><html lang="en"><title>Parts</title>${style}${sections.join('')}</html>`);
    const ways: [Record<string, unknown>, string, Record<string, unknown>, string][] = [
      [
        { title: 'Parts', slides: titles.map((title) => ({ layout: 'section', title })) },
        'd/deck.html, view "paper"',
        { path: 'd/deck.html', view: 'paper' },
        '.render/d-deck-paper',
      ],
      [{ page: 'p.html' }, 'd/deck.html', { path: 'd/deck.html' }, '.render/d-deck'],
      [{ page: 'p.html', format: 'pdf' }, 'd/deck.pdf', { path: 'd/deck.pdf' }, '.render/d-deck-pdf'],
    ];
    for (const [way, how, order, look] of ways) {
      const input = looking.input.parse({ path: 'd/deck', ...way });
      const { output, pictures } = await looking.run(input, toolContext(workspace, { show }));
      expect(pictures).toHaveLength(6);
      expect(output).toContain(`\n6 of 8 slides are shown. The others: render ${how}, pages "7-8".\n`);
      const others = await render.run(render.input.parse({ ...order, pages: '7-8' }), toolContext(workspace, { show }));
      expect(others.pictures?.map(({ name }) => name)).toEqual([`${look}-7.png`, `${look}-8.png`]);
    }
    const input = looking.input.parse({ path: 'd/deck', page: 'p.html', format: 'pdf' });
    expect((await looking.run(input, toolContext(workspace))).output).not.toContain('are shown');
  });
});
