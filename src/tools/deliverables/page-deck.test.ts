import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress, type Press } from '@errand/sandbox/press';
import { findBrowser } from '@errand/sandbox/programs';
import type { Workspace } from '@errand/sandbox/workspace';
import { createMakeSlides } from './make-slides.ts';

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const press = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office: null } }) : null;
const generators = createGenerators(systemClock);
let workspace: Workspace;

useWorkspace('page-deck', (opened) => {
  workspace = opened;
});

afterAll(() => sandbox?.close());

async function make(input: Record<string, unknown>, machine: Press | null = press) {
  const tool = createMakeSlides(generators, machine);
  return await tool.run(tool.input.parse({ path: 'out/deck', page: 'deck.html', ...input }), toolContext(workspace));
}

async function writePage(body: string, style = ''): Promise<void> {
  const usual = 'html { --accent: #0b57b0 } body { margin: 0 } section { width: 1280px; height: 720px; position: relative }';
  const head = `<title>Sales</title><style>${usual} ${style}</style>`;
  await workspace.write('deck.html', `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`);
}

/** The XML of every part, each checked to be well-formed. */
async function readParts(): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  for (const [name, bytes] of Object.entries(unzipSync(await workspace.read('out/deck.pptx')))) {
    if (!/\.(xml|rels)$/.test(name)) continue;
    const text = Buffer.from(bytes).toString();
    new SaxesParser().write(text).close();
    parts.set(name, text);
  }
  return parts;
}

/** The targets of all relationships that lead out of the file. */
function listExternal(parts: ReadonlyMap<string, string>): string[] {
  const all = [...parts].filter(([name]) => name.endsWith('.rels')).map(([, text]) => text);
  return all.flatMap((text) => [...text.matchAll(/Target="([^"]+)" TargetMode="External"/g)].map(([, target = '']) => target));
}

describe.skipIf(press === null)('make_slides of a page', () => {
  it('makes texts, tables, shapes, and pictures that can be edited, with titles for the outline, and notes', async () => {
    await workspace.write(
      'a.png',
      await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0a0' } })
        .png()
        .toBuffer(),
    );
    await writePage(
      `<section><h2>East grew</h2><p>By <b>half</b>, <a href="https://x.test/a">says Ada</a></p><ul><li>One</li><li>Two</li></ul>
        <p>One<sup>2</sup><br>two</p><pre>a\n  b</pre><p class="far">For screen readers</p>
        <div class="box"></div><img src="a.png" alt="A field"><aside class="notes"><p>Pause here.</p><p>Then go on.</p></aside></section>
      <section><h2>Numbers</h2><table><tr><th colspan="2">Sum</th></tr><tr><td>1</td><td>2</td></tr></table></section>`,
      '.box { width: 90px; height: 40px; background: linear-gradient(90deg, var(--accent), #fff); border-radius: 8px } .far { position: absolute; width: 1px; height: 1px; overflow: hidden }',
    );
    const outcome = await make({});
    const forms = { html: 'out/deck.html', pptx: 'out/deck.pptx' };
    expect(outcome).toMatchObject({ status: 'success', made: [{ kind: 'slides', path: 'out/deck.pptx', forms }] });
    const parts = await readParts();
    const [first = '', second = ''] = [1, 2].map((number) => parts.get(`ppt/slides/slide${number}.xml`));
    expect(first).toMatch(/<p:ph type="title"\/>[^]*<a:t>East grew<\/a:t>/);
    expect(first).toMatch(/b="1"[^>]*>(?:(?!<a:r>).)*<a:t>half<\/a:t>/);
    expect(first.match(/<a:buChar char="•"\/>/g)).toHaveLength(2);
    expect(first).toContain('<a:gs pos="0"><a:schemeClr val="accent1"/></a:gs>');
    expect(first).toMatch(/baseline="30000"[^]*<a:t>2<\/a:t><\/a:r>[^]*<a:br>[^]*<a:t>two<\/a:t>/);
    expect(first).toMatch(/<a:t>a<\/a:t><\/a:r><a:br>(?:(?!<a:t>).)*<a:t> {2}b<\/a:t>/);
    expect(first).not.toContain('For screen readers');
    expect(first).toMatch(/<p:pic>[^]*descr="A field"/);
    expect(second).toMatch(
      /<a:gridCol w="\d+"\/><a:gridCol w="\d+"\/><\/a:tblGrid>[^]*<a:tc gridSpan="2">[^]*<a:t>Sum<\/a:t>[^]*<a:tc hMerge="1">/,
    );
    expect(parts.get('ppt/notesSlides/notesSlide1.xml')).toMatch(/Pause here\.[^]*Then go on\./);
    expect(parts.has('ppt/notesSlides/notesSlide2.xml')).toBe(false);
    expect(listExternal(parts)).toEqual(['https://x.test/a']);
    expect((await workspace.list('.render', 10)).map(({ path }) => path)).toEqual([]);
  });

  it('makes one page with everything in it besides, and a PDF if that was asked for', async () => {
    await workspace.write(
      'a.png',
      await sharp({ create: { width: 6, height: 4, channels: 3, background: '#0a0' } })
        .png()
        .toBuffer(),
    );
    await writePage(
      '<section onclick="x()"><h2>One</h2><img src="a.png" alt=""><script>1</script></section><section><h2>Two</h2></section>',
    );
    const { output, made } = await make({ format: 'html' });
    expect(made).toMatchObject([{ path: 'out/deck.html' }]);
    expect((await make({ format: 'html' })).output).toMatch(/replaced what was in out\/deck\.html\./);
    expect(output).toContain('2 slides, set in Times New Roman;');
    const html = (await workspace.read('out/deck.html')).toString();
    expect(html).toContain('src="data:image/png;base64,');
    expect(html).not.toMatch(/<script|onclick|127\.0\.0\.1/);
    expect(await make({ format: 'pdf', path: 'out/paper.pdf' })).toMatchObject({
      output: expect.stringMatching(/^Made out\/paper\.pdf \(2 slides\)\./) as string,
    });
    expect((await workspace.read('out/paper.pdf')).toString('latin1')).toMatch(/^%PDF-[^]*\/MediaBox \[0 0 960 540\]/);
  });

  it('takes hostile pages as data: markup, control characters, scripts, remote addresses, giant boxes', async () => {
    const hostile = `]]&gt;&lt;a:t&gt;&quot;'&amp;\u0001\u202eX`;
    await writePage(
      `<section><h2>${hostile}</h2><p><a href="javascript:alert(1)">a</a> <a href="file:///etc/passwd">b</a> <a href="deck.html">c</a></p>
        <img src="https://far.test/a.png" alt="Far"><img src="/../../etc/passwd" alt="Near"><div style="position: absolute; inset: -9999999px; background: #eee"></div>
        <p style="letter-spacing: 99999px; font-size: 99999px">big</p><aside class="notes">${hostile}</aside></section>
      <section style="background: url(https://far.test/b.png)"><script>Array.prototype.map = () => { throw new Error('x') }; JSON.stringify = () => '{}'</script><h2>Two</h2></section>`,
    );
    const { output } = await make({});
    expect(output).toContain('https://far.test/a.png was not loaded');
    const parts = await readParts();
    expect(listExternal(parts)).toEqual([]);
    expect(parts.get('ppt/slides/slide1.xml')).toContain(']]&gt;&lt;a:t&gt;&quot;&#39;&amp;X');
  });

  it('says what is wrong with the request, and writes nothing', async () => {
    await writePage('<p>No slides</p>');
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{}, /it has no slides: write each as <section class="slide">/],
      [{ page: 'none.html' }, /does not exist/],
      [{ page: 'a.txt' }, /page: "a\.txt" is no HTML page/],
      [{ page: '../deck.html' }, /leads out of the workspace/],
      [{ path: 'deck' }, /path: would write deck\.html over the page itself/],
      [{ slides: [{ layout: 'title', title: 'x' }] }, /page: give either page or slides, not both/],
      [{ page: undefined }, /slides: is missing\. Give slides, or page/],
    ];
    for (const [input, problem] of wrong) await expect(make(input), JSON.stringify(input)).rejects.toThrow(problem);
    await expect(make({}, null)).rejects.toThrow('This machine has no Chromium');
    expect((await workspace.list('', 10)).map(({ path }) => path)).toEqual(['deck.html']);
  });
});
