import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { unpackOffice } from '../../../../test/support/files/office-samples.ts';
import { makeWord } from './word-document.ts';

const noFile = () => Promise.reject(new Error('nothing is to be read'));

async function write(
  body: string,
  root = 'lang="en" data-theme="report"',
  head = '',
  readFile: (path: string) => Promise<Uint8Array> = noFile,
) {
  const html = `<!doctype html><html ${root}><head><title>Annual report</title>${head}</head><body class="numbered">${body}</body></html>`;
  const { bytes, remarks } = await makeWord({ html, folder: 'in', author: 'Ada' }, readFile);
  const parts = unpackOffice(bytes);
  const part = (name: string) => parts.get(name)?.toString() ?? '';
  return { parts, part, remarks, text: part('word/document.xml') };
}

/** The paragraphs with their styles, as `Heading1: Words`. */
function listParagraphs(xml: string): string[] {
  return [...xml.matchAll(/<w:p>(.*?)<\/w:p>/gs)].flatMap(([, inner = '']) => {
    const style = /<w:pStyle w:val="([^"]+)"/.exec(inner)?.[1] ?? 'Normal';
    const words = [...inner.matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text = '']) => text).join('');
    return words === '' ? [] : [`${style}: ${words}`];
  });
}

describe('a Word document of a page', () => {
  it('has the styles of what the page is made of', async () => {
    const { text } = await write(
      `<header class="title-block"><p class="kicker">2026</p><h1>Report</h1><p class="byline">Ada</p></header>
       <main><h2>One</h2><p class="lead">Opening</p><p>Some <b>bold</b> and <i>slanted</i>
       words</p><h3>Two</h3><ul><li>first<ol><li>inner</li></ol></li><li><p>second</p></li></ul>
       <blockquote>Said<cite>Somebody</cite></blockquote><div class="callout warn"><p>Careful</p></div><pre>a\nb</pre>
       <div class="card"><h3>Aside</h3><p>Boxed</p></div><p hidden>never</p><script>never()</script></main>`,
    );
    expect(listParagraphs(text)).toEqual([
      ...[
        'Kicker: 2026',
        'Title: Report',
        'Byline: Ada',
        'Heading1: One',
        'Lead: Opening',
        'Normal: Some bold and slanted words',
      ],
      ...['Heading2: Two', 'ListText: first', 'ListText: inner', 'ListText: second', 'Quote: Said', 'QuoteSource: Somebody'],
      ...['CalloutWarning: Careful', 'CodeBlock: a', 'CodeBlock: b', 'BoxHeading: Aside', 'Normal: Boxed'],
    ]);
    expect(text).toMatch(/<w:b\/>.{0,80}<w:t xml:space="preserve">bold/s);
  });

  it('keeps a list in the box of its callout', async () => {
    const { text } = await write(
      '<main><div class="callout warn"><p>Decide:</p><ol><li>Budget</li></ol></div><p>After</p></main>',
    );
    const [, box = ''] = /<w:tbl>([^]*?)<\/w:tbl>/.exec(text) ?? [];
    expect(listParagraphs(box)).toEqual(['Normal: Decide:', 'ListText: Budget']);
    expect(box).toMatch(/<w:shd [^>]*w:fill="FFF4E0"/);
  });

  it('lets digits stand below each other, also from right to left, has one total in bold, and colors gains', async () => {
    const cell = (words: string, more = '') => `<td class="num ${more}">${words}</td>`;
    const table = `<table><tbody><tr><td>Rent</td>${cell('+1.3', 'up')}</tr></tbody>
      <tfoot><tr><td>Net</td>${cell('9')}</tr><tr class="total"><td>Total</td>${cell('12')}</tr></tfoot></table>`;
    const { text } = await write(`<main>${table}</main>`);
    const runOf = (xml: string, words: string) => xml.split('<w:p>').find((one) => one.includes(`>${words}<`)) ?? '';
    expect(runOf(text, '+1.3')).toMatch(/<w:jc w:val="end"\/>[^]*<w:color w:val="0A7346"\/>/);
    expect([runOf(text, 'Net'), runOf(text, 'Total')].map((one) => one.includes('<w:b/>'))).toEqual([false, true]);
    const mirrored = await write(`<main>${table}</main>`, 'lang="ar" dir="rtl" data-theme="report"');
    expect(runOf(mirrored.text, '12')).toContain('<w:jc w:val="start"/>');
  });

  it('keeps boxes of a comparison apart, with their headings on one line', async () => {
    const compare = `<div class="compare"><div class="chosen"><p><span class="badge">Chosen</span></p><h3>Lease</h3><p>Ten years.</p></div><div><h3>Build</h3><p>Two.</p></div></div>`;
    const { text } = await write(`<main>${compare}</main>`);
    const [row = ''] = /<w:tr>.*?<\/w:tr>/s.exec(text) ?? [];
    const cells = row.split('<w:tc>').slice(1);
    expect(cells.map((one) => one.replaceAll(/<[^>]+>/g, ''))).toEqual(['ChosenLeaseTen years.', '', 'BuildTwo.']);
    const before = (one = '', heading = '') => one.split(`>${heading}<`)[0]?.split('<w:p>').length;
    expect(before(cells[0], 'Lease')).toBe(before(cells[2], 'Build'));
  });

  it('sets words of numbered lists behind numbers of two digits', async () => {
    const { part } = await write('<main><ol><li>one</li></ol></main>');
    const levels = part('word/numbering.xml').split('<w:lvl ');
    const ordered = levels.find((level) => level.includes('w:val="decimal"') && level.includes('"%1."')) ?? '';
    // Two digits and a period take 340 twentieths of a point in the text of a document.
    expect(Number(/w:hanging="(\d+)"/.exec(ordered)?.[1])).toBeGreaterThanOrEqual(400);
  });

  it('has contents with page numbers, a running title, and page numbers that programs show that compute no fields', async () => {
    const { text, part, parts } = await write(
      '<header class="cover"><h1>Report</h1></header><main><nav class="toc"><h2>Contents</h2><ol><li>by hand</li></ol></nav><h2>One</h2><p>a</p><h2 class="new-page">Two</h2><p>b</p></main>',
    );
    expect(text).toMatch(/<w:instrText[^>]*>TOC \\/);
    const entries = listParagraphs(text).filter((line) => line.startsWith('TOC1'));
    expect(entries).toEqual(['TOC1: One3', 'TOC1: Two4']);
    expect(text).not.toContain('by hand');
    expect(text).not.toContain('w:dirty="true"');
    const feet = [...parts.keys()].filter((name) => /^word\/footer\d+\.xml$/.test(name)).map(part);
    expect(feet.length).toBeGreaterThan(0);
    for (const foot of feet) expect(foot).toMatch(/<w:fldSimple w:instr="PAGE"><w:r><w:t[^>]*>1<\/w:t>/);
    expect(part('word/header1.xml')).toContain('Annual report');
    // The cover has pages of its own, without both.
    expect(text.match(/<w:sectPr>.*?<\/w:sectPr>/gs)?.[0]).not.toMatch(/headerReference|footerReference/);
  });

  it('has a cover with the forms of its theme, the line above at the top, and who and when at the foot', async () => {
    const cover =
      '<header class="cover"><p class="byline">Ada</p><p class="kicker">2026</p><h1>Report</h1><p class="subtitle">Below</p></header><p>Text</p>';
    const { text, parts } = await write(cover);
    expect(listParagraphs(text)).toEqual(['Kicker: 2026', 'Title: Report', 'Subtitle: Below', 'Byline: Ada', 'Normal: Text']);
    const pictures = [...parts].filter(([name]) => name.startsWith('word/media/'));
    expect(pictures).toHaveLength(1);
    // White rings on a blue that grows lighter: what is at its corners differs from what is in its middle.
    const { data, info } = await sharp(pictures[0]?.[1]).raw().toBuffer({ resolveWithObject: true });
    const colorAt = (x: number, y: number) =>
      [...data.subarray((y * info.width + x) * 3)].slice(0, 3).map((one) => Math.round(one / 16));
    expect(colorAt(4, 4)).toEqual([0x0c, 0x35, 0x52].map((one) => Math.round(one / 16)));
    expect(colorAt(info.width - 4, info.height - 4)).not.toEqual(colorAt(4, info.height - 4));
    expect(text).toMatch(/<wp:anchor[^>]*behindDoc="1"[^>]*layoutInCell="0"/);
    const spaceAbove = async (body: string) => (await write(body)).text.match(/Heading1.{0,80}w:before="0"/gs)?.length ?? 0;
    expect(await spaceAbove(`${cover.replace('<p>Text</p>', '')}<h2>One</h2><p>a</p><h2>Two</h2>`)).toBe(1);
    const plain = await write(cover, 'lang="en" data-theme="minimal"');
    expect([...plain.parts.keys()].filter((name) => name.startsWith('word/media/'))).toEqual([]);
    expect(plain.text).toContain('w:fill="FFFFFF"');
    const centered = await write(cover, 'lang="en" data-theme="academic"');
    expect(centered.text.match(/<w:jc w:val="center"\/>/g)).toHaveLength(4);
  });

  it('shows shares as bars as long as they are, in their color', async () => {
    const row = (part: number, more: string) =>
      `<tr><td>a</td><td><span class="bar ${more}" style="--part: ${part}"></span></td></tr>`;
    const { text, parts } = await write(`<table><tbody>${row(20, '')}${row(40, 'down')}</tbody></table>`);
    const widths = [...text.matchAll(/<wp:extent cx="(\d+)"/g)].map(([, cx]) => Number(cx));
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(2, 1);
    expect(text).toContain('descr="40 %"');
    const bars = [...parts].filter(([name]) => name.startsWith('word/media/')).map(([, bytes]) => bytes);
    const colors = await Promise.all(
      bars.map(async (bytes) => (await sharp(bytes).removeAlpha().raw().toBuffer()).toString('hex')),
    );
    expect(colors.toSorted()).toEqual(['0f4c75', 'b3261e']);
  });

  it('has notes at the foot of the page, numbered captions, and references that follow them', async () => {
    const { text, part } = await write(
      `<p>See <a href="#t2">table</a> or <a href="#end"></a> and note<sup><a href="#n2">1</a></sup>, again<sup><a href="#n2">1</a></sup>.</p>
       <table><caption>First</caption><tr><td>a</td></tr></table>
       <table id="t2"><caption>Second</caption><thead><tr><th>a</th><th class="num">b</th></tr></thead><tbody><tr><td rowspan="2">c</td><td>1</td></tr><tr><td>2</td></tr></tbody></table>
       <h2 id="end">The end</h2>
       <section class="footnotes"><h2>Notes</h2><ol><li id="n1">Nobody</li><li id="n2">Counted by <i>hand</i>. <a href="#r">Back</a></li></ol></section>`,
    );
    expect(listParagraphs(text)).toEqual(
      expect.arrayContaining([
        'Caption: Table 1. First',
        'Caption: Table 2. Second',
        'Normal: See Table 2 or “The end” and note, again1.',
      ]),
    );
    expect(text).toMatch(/SEQ Table/);
    expect(text).toMatch(/<w:fldSimple w:instr="REF (_place\d) \\h">/);
    expect(part('word/footnotes.xml')).toContain('Counted by ');
    expect(part('word/footnotes.xml')).not.toContain('Back');
    // A note that nothing refers to stays at the end.
    expect(listParagraphs(text).slice(-1)).toEqual(['ListText: Nobody']);
    expect(text).toContain('<w:tblHeader/>');
    expect(text).toContain('<w:vMerge w:val="restart"/>');
  });

  it('runs from right to left as a whole, or paragraph by paragraph', async () => {
    const { text, part } = await write(
      '<h2>خطاب</h2><ul><li>أول</li></ul><table><tr><td>واحد</td></tr></table><p dir="ltr">English</p>',
      'lang="ar" dir="rtl"',
    );
    expect(text.match(/<w:bidi\/>/g)).toHaveLength(3);
    expect(text).toContain('<w:bidiVisual/>');
    expect(text.match(/<w:rtl\/>/g)).toHaveLength(3);
    expect(part('word/styles.xml')).toContain('w:bidi="ar"');
  });

  it('turns pages for wide parts, on the paper that the page names', async () => {
    const { text } = await write(
      '<p>a</p><section class="landscape"><p>wide</p></section><p>b</p>',
      'lang="en"',
      '<style>@page { size: letter }</style>',
    );
    const sizes = [...text.matchAll(/<w:pgSz ([^/]*)\/>/g)].map(([, size]) => size);
    expect(sizes).toEqual([
      expect.stringContaining('w:w="12240" w:h="15840"') as string,
      expect.stringContaining('w:w="15840" w:h="12240"') as string,
      expect.stringContaining('w:w="12240" w:h="15840"') as string,
    ]);
  });

  it('lies on its side as a whole where the page says so', async () => {
    const { text } = await write(
      '<p>a</p><section class="landscape"><p>b</p></section>',
      'lang="en"',
      '<style>@page { size: A4 landscape }</style>',
    );
    const sizes = [...text.matchAll(/<w:pgSz w:w="(\d+)" w:h="(\d+)"/g)].map(([, width, height]) => [width, height]);
    expect(sizes).toEqual([
      ['16838', '11906'],
      ['16838', '11906'],
    ]);
  });

  it('takes fonts and colors from the theme and from the page', async () => {
    const { part } = await write('<p>a</p>', 'data-theme="deck"', '<style>:root { --accent: #b3002d }</style>');
    expect(part('word/theme/theme1.xml')).toMatch(/<a:accent1><a:srgbClr val="B3002D"/i);
    expect(part('word/styles.xml')).toContain('w:ascii="Arial"');
    expect((await write('<p>a</p>')).part('word/styles.xml')).toContain('w:ascii="Times New Roman"');
  });

  it('shows pictures of the workspace and drawings of the page, and no others', async () => {
    const logo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const read: string[] = [];
    const { parts, remarks, text } = await write(
      `<figure><img src="a%20b.png" alt="Logo"><figcaption>Ours</figcaption></figure><img src="https://x.test/a.png" alt="away">
       <svg viewBox="0 0 20 10"><rect width="20" height="10" style="fill: var(--accent)"/><image href="https://x.test/b.png"/></svg>`,
      undefined,
      '',
      (path) => {
        read.push(path);
        return Promise.resolve(logo);
      },
    );
    expect(read).toEqual(['in/a b.png']);
    expect([...parts.keys()].filter((name) => name.startsWith('word/media/'))).toHaveLength(2);
    expect(remarks).toEqual(['The picture "https://x.test/a.png" is not shown: only files of the workspace are.']);
    expect(text).toContain('descr="Logo"');
    expect(text).toContain('away');
  });
});

describe('a curriculum vitae', () => {
  const entry = (title: string) =>
    `<section class="entry"><p class="when">2021 to today</p><h3>${title}</h3><p class="where">Hospital</p><ul><li>Cut the wait by half, with the same staff.</li></ul></section>`;
  const cv = (entries: number) =>
    `<main class="cv"><header><h1>Ines Carvalho</h1><p class="cv-role">Operations</p></header><aside><h2>Contact</h2><p>Rivermouth</p></aside>
     <div><h2>Experience</h2>${Array.from({ length: entries }, (_, at) => entry(`Post ${at}`)).join('')}</div></main>`;

  it('has its entries beside the aside, each with its time at the end of its heading', async () => {
    const { text } = await write(cv(2));
    const rows = text.match(/<w:tr>/g);
    const cells = [...text.matchAll(/<w:tc>(.*?)<\/w:tc>/gs)].map(([, cell = '']) => cell);
    expect(rows).toHaveLength(1);
    expect(cells.map(listParagraphs)).toEqual([
      ['Heading1: Contact', 'Normal: Rivermouth'],
      [
        'Heading1: Experience',
        ...['Heading2: Post 02021 to today', 'Where: Hospital', 'ListText: Cut the wait by half, with the same staff.'],
        ...['Heading2: Post 12021 to today', 'Where: Hospital', 'ListText: Cut the wait by half, with the same staff.'],
      ],
    ]);
    expect(listParagraphs(text).slice(0, 2)).toEqual(['Title: Ines Carvalho', 'CvRole: Operations']);
    expect(cells[1]).toMatch(/<w:tab w:val="end" w:pos="\d+"\/>.*Post 0.*<w:tab\/>.*2021/s);
    // Two pages of entries must not leave the first one empty.
    expect(text).not.toContain('<w:cantSplit/>');
  });

  it('has smaller type the more there is to hold on one page, and no number on it', async () => {
    const sizeOf = ({ part }: Awaited<ReturnType<typeof write>>) =>
      Number(/<w:rPrDefault>.*?<w:sz w:val="(\d+)"/s.exec(part('word/styles.xml'))?.[1]);
    const [few, many] = [await write(cv(3)), await write(cv(11))];
    expect(sizeOf(few)).toBe(23);
    expect(sizeOf(many)).toBeLessThan(21);
    const first = /<w:footerReference w:type="first" r:id="(\w+)"/.exec(few.text)?.[1] ?? '';
    const file = new RegExp(`Id="${first}"[^>]*Target="([^"]+)"|Target="([^"]+)"[^>]*Id="${first}"`).exec(
      few.part('word/_rels/document.xml.rels'),
    );
    expect(few.part(`word/${file?.[1] ?? file?.[2] ?? ''}`)).toMatch(/^<\?xml(?!.*PAGE)/s);
  });
});

describe('hostile pages', () => {
  it('of deep, long, and wide content are written in time, and links lead only to safe addresses', async () => {
    const { text, part } = await write(
      `${'<div>'.repeat(5_000)}deep${'</div>'.repeat(5_000)}<p>${'word '.repeat(50_000)}</p><table>${'<tr><td colspan="99999" rowspan="99999">x</td></tr>'.repeat(300)}</table>
       <a href="javascript:alert(1)">a</a><a href="file:///etc/passwd">b</a><a href="https://x.test/">c</a>`,
      'lang="en" data-theme="&quot;]{} --x"',
    );
    expect(text).toContain('deep');
    expect(part('word/_rels/document.xml.rels')).not.toMatch(/javascript|file:/);
  });

  it('of more than can be read are refused', async () => {
    await expect(write('<p>a</p>'.repeat(100_001))).rejects.toThrow('more than 200000 elements');
    await expect(write('<img src="a.png">'.repeat(101))).rejects.toThrow('more than 100 pictures');
  });
});
