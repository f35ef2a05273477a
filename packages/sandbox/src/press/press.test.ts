import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { systemClock } from '@errand/base/clock.ts';
import { openSandbox } from '../open-sandbox.ts';
import { findBrowser } from '../programs/find-programs.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace-folder.ts';
import { createPress, type Press, type PressRequest } from './press.ts';

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const press: Press | null = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office: null } }) : null;
let workspace: Workspace;

beforeEach(() => {
  workspace = openWorkspace(createFolder('press'));
});

afterEach(() => removeFolder(workspace.root));

afterAll(() => sandbox?.close());

const usual: PressRequest = {
  page: { path: 'page.html' },
  extras: new Map(),
  view: 'screen',
  window: { width: 1000, height: 700, isPhone: false },
  scheme: 'light',
  paper: null,
  pdf: null,
  slides: null,
  pictures: null,
  ranges: [],
  mostPictures: 10,
  pictureWidth: 500,
};

async function show(html: string, changes: Partial<PressRequest> = {}, signal = new AbortController().signal) {
  if (!press) throw new Error('there is no browser');
  await workspace.write('page.html', `<!doctype html><html lang="en"><title>Page</title>${html}</html>`);
  const report = await press.run({ ...usual, ...changes }, { workspace, owner: 'a1', signal });
  return { ...report, lines: report.findings.map(({ kind, element, text }) => `${kind} ${element} ${text}`) };
}

const pngSize = async (path: string) => {
  const bytes = await workspace.read(path);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

describe.skipIf(press === null)('the press', () => {
  it('finds nothing to mend in a sound page and photographs it as wide as asked', async () => {
    await workspace.write('style.css', 'body { font: 18px/1.5 sans-serif }');
    const html =
      '<link rel="stylesheet" href="style.css"><h1 id="top">Bakery</h1><p><a href="#top">Up</a> <a href="page.html">here</a></p>';
    const { lines, pageCount, pictures } = await show(html, { pictures: 'out/look' });
    expect(lines).toEqual([]);
    expect([pageCount, pictures]).toEqual([1, [{ path: 'out/look-1.png', page: 1 }]]);
    expect(await pngSize('out/look-1.png')).toEqual([500, 350]);
  });

  it('names what is cut off, overlapping, pale, too wide, broken, or missing, by its element', async () => {
    const html = `<style>.box { width: 90px; height: 20px; overflow: hidden; white-space: nowrap } .pale { color: #aaa }
      .a, .b { position: absolute; top: 300px; left: 10px }</style>
      <div class="box">Words that do not fit their box</div><p class="pale">Pale</p><p class="a">One over</p><p class="b">the other</p>
      <table style="width: 1500px"><tr><td>Wide</td></tr></table><img src="none.png" alt="None"><a href="#nowhere">jump</a>
      <a href="gone.html">gone</a><p style="font-family: Nonesuch, serif">Set</p><script>nothing.at.all()</script>`;
    const { lines } = await show(html);
    for (const wanted of [
      /^cut div\.box is cut off at its side by \d+ px/,
      /^contrast p\.pale\S* has a contrast of 2\.3 : 1; 4\.5 : 1 is needed/,
      /^overlap p\.b\S* lies on the text of p\.a\S* "One over"/,
      /^wide table is \d+ px wider than the window of 1000 px/,
      /^picture img shows nothing: "none\.png" is missing or no picture/,
      /^link a\S* leads to "#nowhere", which is not on the page/,
      /^link a\S* leads to "gone\.html", which does not exist/,
      /^font p\S* asks for the font "Nonesuch", which was not found/,
      /^script {2}a script failed: ReferenceError: nothing is not defined/,
    ]) {
      expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(wanted)]));
    }
  });

  it('names drawings whose texts come out too small to read, on slides sooner than on pages', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540"><text y="40" style="font-size:13px">North</text></svg>';
    await workspace.write('chart.svg', drawing);
    const image = (width: number) => `<img src="chart.svg" alt="Chart" style="width: ${width}px">`;
    const { lines } = await show(`${image(400)}<p>${image(640)}</p><div class="slide">${image(800)}</div>`);
    expect(lines).toEqual([
      'small img has texts of 5 px: draw it 400 wide, or with larger texts (scale of make_chart)',
      'small div.slide > img has texts of 11 px: draw it 800 wide, or with larger texts (scale of make_chart)',
    ]);
  });

  it('does not complain of text on gradients that can be read, hidden or folded text, or lists that scroll', async () => {
    const html = `<div style="background: linear-gradient(#000, #333); color: #fff">White on dark</div><p hidden>Hidden</p>
      <details><summary>First question</summary><p>Its answer, on<br>two lines</p></details><details><summary>Second</summary>Folded</details>
      <div style="content-visibility: hidden; height: 10px"><p>Skipped</p></div><p>After it</p>
      <pre style="overflow: auto; width: 200px">${'long '.repeat(80)}</pre>
      <span style="position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden">For screen readers</span>`;
    expect((await show(html)).lines).toEqual([]);
  });

  it('says which slide has little below its heading, wherever that stands', async () => {
    const style = `@page { size: 1280px 720px; margin: 0 } body { margin: 0 } .slide { width: 1280px; height: 720px; break-after: page; position: relative }
      h2 { margin: 0; font-size: 44px } .at { position: absolute; top: 600px; left: 80px; margin: 0; font-size: 30px } .large { font-size: 90px; top: 560px }`;
    const slides = [
      '<section class="slide"><h2>Two points</h2><ul class="at"><li>Sales rose</li><li>Costs fell</li></ul></section>',
      `<section class="slide"><h2>A text</h2><p class="at" style="top: 400px">${'Sales rose in every region. '.repeat(12)}</p></section>`,
      '<section class="slide"><h2>A number</h2><p class="at large">214,300</p></section>',
      '<section class="slide"><h2>A picture</h2><svg class="at" style="top: 300px" width="400" height="400"><circle cx="99" cy="300" r="9"/></svg></section>',
      '<section class="slide section"><h2>Part two</h2><p class="at">The rest</p></section>',
      '<section class="slide"><h2>At its top</h2><p>Only this</p></section>',
    ];
    const { findings } = await show(`<style>${style}</style>${slides.join('')}`, { view: 'paper' });
    expect(findings).toMatchObject([
      {
        kind: 'empty',
        page: 1,
        text: expect.stringMatching(/^is nearly empty: words and pictures cover [1-3] % of it/) as string,
      },
      { kind: 'empty', page: 6, text: expect.stringMatching(/^only its upper \d+ % is used/) as string },
    ]);
  });

  it('prints on paper with page numbers in the contents, and says which page is nearly empty', async () => {
    const html = `<style>@page { size: A5; margin: 15mm } h2 { break-before: page }</style><p>Contents</p>
      <p><a href="page.html">Here</a> <a href="#b">Second</a> <span data-page-of="b">00</span></p><h2 id="a">First</h2><p>${'All of it grew. '.repeat(120)}</p><h2 id="b">Second</h2><p>Short</p>`;
    const { findings, pageCount } = await show(html, { view: 'paper', pdf: 'out.pdf', pictures: 'p', ranges: [[2, 3]] });
    expect(pageCount).toBe(3);
    expect(findings).toMatchObject([
      { kind: 'empty', page: 1, text: expect.stringMatching(/only its upper \d+ % is used/) as string },
      { kind: 'empty', page: 3 },
    ]);
    const pdf = (await workspace.read('out.pdf')).toString('latin1');
    expect(pdf).toMatch(/^%PDF-[^]*\/Dest \/b/);
    expect(pdf).not.toContain('127.0.0.1');
    const [width, height] = await pngSize('p-2.png');
    expect(width).toBe(500);
    expect(height).toBeGreaterThan(690);
    await expect(workspace.read('p-1.png')).rejects.toThrow();
  });

  it('sets notes at the foot of the page of their references, and the text of the page above them', async () => {
    const text = 'All of it grew in the spring, and none of it was sold before the summer came. ';
    const paragraphs = Array.from({ length: 24 }, (_, at) => {
      const ref = `<sup><a id="r${at}" href="#n${at}">${at}</a></sup> REF${at}.`;
      return `<p>${text.repeat(2 + (at % 3))}${at % 2 === 0 ? ref : ''} ${text}</p>${at % 7 === 6 ? `<h2 id="p${at}">Part ${at}</h2>` : ''}`;
    });
    const notes = paragraphs.flatMap((_, at) =>
      at % 2 === 0
        ? [`<li id="n${at}" value="${at}">NOTE${at}. ${text.repeat(1 + (at % 4))}<a href="#r${at}">Back</a></li>`]
        : [],
    );
    const style =
      '@page { size: A5; margin: 15mm } @page cover { margin: 0 } body { margin: 0 } .cover { page: cover; box-sizing: border-box; height: 90vh; padding-top: 70vh; break-after: page }';
    const section = `<section class="footnotes" id="notes"><h2>Notes</h2><ol>${notes.join('')}</ol></section>`;
    const contents =
      '<nav class="toc"><ol><li>Part six <span data-page-of="p6"></span></li><li>All notes <span data-page-of="notes"></span></li></ol></nav>';
    const html = `<style>${style}</style><header class="cover">Cover</header><main>${contents}${paragraphs.join('')}${section}</main>`;
    const { findings, pageCount } = await show(html, { view: 'paper', pdf: 'out.pdf' });
    expect([findings, pageCount > 4]).toEqual([[], true]);
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(workspace.root, 'out.pdf'), '-']);
    const pages = stdout.split('\f');
    for (let at = 0; at < 24; at += 2) {
      const [page] = pages.filter((each) => each.includes(`REF${at}.`));
      expect([at, page?.indexOf(`NOTE${at}.`) ?? -1]).toEqual([at, expect.any(Number)]);
      expect(page?.indexOf(`NOTE${at}.`)).toBeGreaterThan(page?.lastIndexOf('REF') ?? Infinity);
    }
    expect(stdout).not.toMatch(/Back|Notes|All notes/);
    expect(stdout).toMatch(/Part six\s+[2-9]\n/);
  });

  it('sets notes at the foot of their pages also before, on, and after pages that lie on their side', async () => {
    const text = 'All of it grew in the spring, and none of it was sold before the summer came. ';
    const paragraph = (at: number) => `<p>${text.repeat(5)}<sup><a id="r${at}" href="#n${at}">${at}</a></sup> REF${at}.</p>`;
    const part = (ids: number[]) => ids.map((id) => `${paragraph(id)}<p>${text.repeat(25)}</p>`).join('');
    const lying = `<section class="lying"><h2>Lying</h2>${paragraph(20)}<p style="text-align: right">WIDE</p></section>`;
    const [before, after] = [Array.from({ length: 4 }, (_, at) => at), Array.from({ length: 12 }, (_, at) => 30 + at)];
    const notes = [...before, 20, ...after];
    const items = notes.map((at) => `<li id="n${at}">NOTE${at}. ${text}</li>`).join('');
    const style = '@page { size: A5; margin: 15mm } @page lying { size: A5 landscape; margin: 20mm 15mm } .lying { page: lying }';
    const html = `<style>${style}</style><main>${part(before)}${lying}${part(after)}<section class="footnotes"><ol>${items}</ol></section></main>`;
    await show(html, { view: 'paper', pdf: 'out.pdf' });
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(workspace.root, 'out.pdf'), '-']);
    const pages = stdout.split('\f');
    const placed = notes.map((at) => {
      const page = pages.findIndex((each) => each.includes(`REF${at}.`));
      const [words = '', note] = [pages[page], pages[page]?.indexOf(`NOTE${at}.`) ?? -1];
      return [at, note !== undefined && note > words.lastIndexOf('REF')];
    });
    expect(placed).toEqual(notes.map((at) => [at, true]));
    expect(pages.findIndex((each) => each.includes('WIDE'))).toBe(pages.findIndex((each) => each.includes('Lying')));
  });

  it('leaves notes at the end where two parts have paper of one height and different margins', async () => {
    const text = 'It grew. '.repeat(30);
    const style =
      '@page { size: A5; margin: 15mm } @page wide { size: A5 landscape; margin: 30mm 15mm } @page chart { size: A5 landscape; margin: 10mm 15mm } .wide { page: wide } .chart { page: chart }';
    const part = (name: string, at: number) =>
      `<section class="${name}"><h2>Part ${at}</h2><p>${text}<sup><a id="r${at}" href="#n${at}">${at}</a></sup></p></section>`;
    const body = `<p>${text.repeat(12)}</p>${part('wide', 1)}${part('chart', 2)}${part('text', 3)}`;
    const items = [1, 2, 3].map((at) => `<li id="n${at}">NOTE${at}.</li>`).join('');
    const html = `<style>${style}</style><main>${body}<section class="footnotes"><h2>Notes</h2><ol>${items}</ol></section></main>`;
    await show(html, { view: 'paper', pdf: 'out.pdf' });
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(workspace.root, 'out.pdf'), '-']);
    expect(stdout.trim()).toMatch(/Notes\s+1\. NOTE1\.\s+2\. NOTE2\.\s+3\. NOTE3\.$/);
  });

  it('leaves notes at the end where they were asked for there, or where floats are in the text', async () => {
    const body = `<p>${'All of it grew. '.repeat(40)}<sup><a id="r1" href="#n1">1</a></sup></p><h2 style="break-before: page">Next</h2><p>${'It grew. '.repeat(200)}</p>`;
    const notes = (more: string) =>
      `<section class="footnotes ${more}"><h2>Notes</h2><ol><li id="n1">A note. <a href="#r1">Back</a></li></ol></section>`;
    const float = '<div style="float: right">Aside</div>';
    for (const html of [`${body}${notes('at-end')}`, `${float}${body}${notes('')}`]) {
      await show(`<style>@page { size: A5; margin: 15mm }</style><main>${html}</main>`, { view: 'paper', pdf: 'out.pdf' });
      const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(workspace.root, 'out.pdf'), '-']);
      expect(stdout.trim()).toMatch(/It grew\.[^]*Notes\s+1\. A note\. Back$/);
    }
  });

  /** Writes a page's text once the press prepares the page for its picture. */
  const writeLate = (html: string) => {
    const text = JSON.stringify(html).replaceAll(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const script = `const one = document.querySelector('img');
      new MutationObserver(() => (document.body.innerHTML = ${text})).observe(one, { attributes: true });`;
    return `<img loading="lazy" alt="" src="${picture}"><script>${script}</script>`;
  };

  it.each([
    ['that a page has', (html: string) => html],
    ['that its script writes later', writeLate],
  ])('sets Chinese, Japanese, and Korean %s in fonts of the service on a machine that has none for them', async (_, write) => {
    const fonts = '<dir>/usr/share/fonts/truetype/liberation</dir><dir>/usr/share/fonts/truetype/liberation2</dir>';
    await workspace.write(
      'fonts.conf',
      `<?xml version="1.0"?><fontconfig>${fonts}<cachedir>/tmp/fontconfig</cachedir></fontconfig>`,
    );
    const env = { FONTCONFIG_FILE: '/workspace/fonts.conf' };
    const poor = createPress({
      sandbox: { run: (command) => sandbox?.run({ ...command, env }) ?? Promise.reject(new Error('there is no sandbox')) },
      programs: { chromium: chromium ?? '', office: null },
    });
    const texts = { SC: '增长来自华东，利润要靠西南', JP: 'すべての売上が増えた', KR: '매출증가' };
    const paragraphs = Object.entries(texts).map(
      ([name, text]) => `<p style="font-family: 'Noto Sans ${name} Variable'">${text}</p><p><b>Plain</b></p>`,
    );
    const head = '<head><title>Page</title><style>@page { size: A6 landscape }</style></head>';
    await workspace.write(
      'page.html',
      `<!doctype html><html lang="zh-CN">${head}<body>${write(paragraphs.join(''))}</body></html>`,
    );
    const signal = new AbortController().signal;
    const report = await poor.run({ ...usual, view: 'paper', pdf: 'out.pdf' }, { workspace, owner: 'a1', signal });
    expect(report.findings).toEqual([]);
    const { stdout } = await promisify(execFile)('pdffonts', [join(workspace.root, 'out.pdf')]);
    const embedded = stdout.split('\n').slice(2, -1);
    expect([embedded.length > 3, embedded.filter((line) => !/ yes (yes|no ) yes /.test(line))]).toEqual([true, []]);
    const { stdout: text } = await promisify(execFile)('pdftotext', ['-raw', join(workspace.root, 'out.pdf'), '-']);
    for (const line of Object.values(texts)) expect(text).toContain(line);
  });

  it('calls a slide half empty if its words end high, but not if they stand in its middle', async () => {
    const style = `@page { size: 1280px 720px; margin: 0 } body { margin: 0 } p { margin: 0; font-size: 60px }
      section { width: 1280px; height: 720px; break-after: page; display: flex; flex-direction: column; padding: 90px; box-sizing: border-box }`;
    const slides = ['center', 'flex-start', 'flex-end'].map(
      (place) => `<section style="justify-content: ${place}"><p>Two ways to make room</p></section>`,
    );
    // What stands on a gradient cannot be told from it.
    const shaded = '<section style="background: linear-gradient(90deg, #111, #777); color: #fff"><p>Part two</p></section>';
    const { findings } = await show(`<style>${style}</style>${slides.join('')}${shaded}`, { view: 'paper' });
    expect(findings).toMatchObject([{ kind: 'empty', page: 2 }]);
  });

  it('photographs a drawing without a ground', async () => {
    await show(
      '<body style="margin: 0"><svg width="40" height="30" style="display: block"><circle cx="20" cy="15" r="9"/></svg></body>',
      {
        pictures: 'drawing',
        isDrawing: true,
        window: { width: 40, height: 30, isPhone: false },
        pictureWidth: 80,
      },
    );
    expect(await pngSize('drawing-1.png')).toEqual([80, 60]);
    // Eight bits each of red, green, blue, and opacity.
    expect([...(await workspace.read('drawing-1.png')).subarray(24, 26)]).toEqual([8, 6]);
  });

  it('sets what is meant to be one page so large that it fills it, and says what no size helps', async () => {
    const style = '@page { size: A5; margin: 15mm } body { margin: 0 }';
    const page = (count: number) =>
      `<style>${style}</style><main class="one-page"><p>${'All of it grew. '.repeat(count)}</p></main>`;
    const { lines, pageCount } = await show(page(150), { view: 'paper', pdf: 'out.pdf' });
    expect([lines, pageCount]).toEqual([[], 1]);
    const { stdout } = await promisify(execFile)('pdftotext', ['-bbox', join(workspace.root, 'out.pdf'), '-']);
    const lowest = Math.max(...[...stdout.matchAll(/yMax="([\d.]+)"/g)].map(([, y]) => Number(y)));
    expect(lowest / 595).toBeGreaterThan(0.8);
    const few = await show(page(20), { view: 'paper' });
    expect(few.lines.join()).toMatch(/^empty main fills only \d+ % of its page, also in the largest type/);
    const many = await show(page(600), { view: 'paper' });
    expect(many.lines.join()).toMatch(/^cut main does not fit one page: in the smallest type it takes \d+ % of it/);
  });

  it('makes the type of a poster as small as what it holds needs, on its own paper, and says what no size helps', async () => {
    const kit = await readFile(new URL('../../../../skills/design-kit/kit/forms.css', import.meta.url), 'utf8');
    const style = `:root { --cover: #fff; --on-cover: #000; --cover-soft: #333; --head-weight: 700; --head-font: sans-serif; --head-tracking: 0 } body, dl, p { margin: 0 } * { box-sizing: border-box }`;
    const page = (facts: number) =>
      `<style>${style}${kit}</style><section class="poster"><h1>Orchard day</h1><dl class="poster-facts">${'<div><dt>Friday, 20:00</dt><dd>Pressing of apples</dd></div>'.repeat(facts)}</dl><p class="poster-foot">Free for all</p></section>`;
    for (const facts of [2, 14])
      expect((await show(page(facts), { view: 'paper' })).lines.filter((line) => line.startsWith('cut'))).toEqual([]);
    expect((await show(page(60), { view: 'paper' })).lines.join()).toMatch(/cut .*poster.* is cut off below by \d+ px/);
  });

  it('names marks in tables and labels that are squeezed', async () => {
    const html = `<table><tr><td style="width: 20px; max-width: 20px"><span class="bar" style="display: inline-block; width: 9px; height: 9px"></span></td>
      <td style="max-width: 60px; width: 60px"><span class="badge" style="display: inline-block">night mode is off</span></td></tr></table>`;
    expect((await show(html)).lines).toEqual([
      expect.stringMatching(/^small .*span\.bar stands in a place of \d+ px, in which bars cannot be compared/),
      expect.stringMatching(/^small .*span\.badge is a label of several lines/),
    ]);
  });

  it('lets a page reach neither the network nor a file outside the workspace', async () => {
    await workspace.write('in.txt', 'inside');
    const html = `<p id="out">-</p><img src="https://pictures.example/a.png" alt="Far"><script>
      const say = (text) => { document.getElementById('out').textContent += text };
      const tries = ['file:///etc/passwd', '/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', 'http://169.254.169.254/latest'];
      for (const path of tries) { const x = new XMLHttpRequest(); try { x.open('GET', path, false); x.send(); say(' ' + x.status + (x.responseText.includes('root:') ? 'LEAK' : '')) } catch { say(' refused') } }
      const y = new XMLHttpRequest(); y.open('GET', '/in.txt', false); y.send(); say(' ' + y.responseText);
      if (document.getElementById('out').textContent !== '- refused 404 404 refused inside') throw new Error(document.getElementById('out').textContent);
    </script>`;
    const { lines } = await show(html);
    expect(lines.filter((line) => line.startsWith('script'))).toEqual([]);
    expect(lines.join('\n')).toContain('https://pictures.example/a.png was not loaded: pages are made without a network');
  });

  it('shows a page whose script never ends without its scripts, and says so', async () => {
    const { lines, pageCount } = await show('<p>Before</p><script>for (;;);</script>');
    expect(pageCount).toBe(1);
    expect(lines[0]).toMatch(/did not come to rest .*; it is shown without its scripts/);
  });

  it('cuts a page of endless height and shows at most the pictures asked for', async () => {
    const { pictures, lines } = await show('<div style="height: 4000000px">High</div>', { pictures: 'h', mostPictures: 2 });
    expect(pictures).toHaveLength(2);
    expect(lines.join('\n')).toContain('the page is too high for one view');
  });

  it('ends with its signal, and says what it cannot read', async () => {
    await expect(show('<p>x</p>', {}, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    await workspace.write('a.pdf', 'no pdf');
    await expect(show('', { page: { path: 'a.pdf' } })).rejects.toThrow(
      /^The page could not be shown: pdfinfo cannot read it: \w/,
    );
    await expect(show('', { page: { path: 'none.docx' } })).rejects.toThrow('this machine has no LibreOffice');
  });
});
