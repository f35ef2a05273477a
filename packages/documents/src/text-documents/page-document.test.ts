import { describe, expect, it } from 'vitest';
import { type DocumentJob, readDocument } from '../content/document-source.ts';
import { makePage } from './page-document.ts';
import { makeText } from './text-document.ts';

const job: DocumentJob = {
  ...{ files: [], markdown: '', title: 'T', subtitle: '', author: '', date: '' },
  ...{ hasTitlePage: false, pageSize: 'A4', language: 'en', nowMs: 0 },
};
const noFile = () => Promise.reject(new Error('nothing is to be read'));

const read = (markdown: string, changes: Partial<DocumentJob> = {}) => readDocument({ ...job, ...changes, markdown }, noFile);
const page = async (markdown: string, changes: Partial<DocumentJob> = {}) =>
  Buffer.from(makePage(await read(markdown, changes))).toString();
const text = async (markdown: string) => Buffer.from(makeText(await read(markdown))).toString();

describe('a page of a document', () => {
  it('numbers notes in the order in which they are referred to, with links both ways', async () => {
    const html = await page('One[^b] two[^a] again[^b].\n\n[^a]: First *note*\n  goes on.\n[^b]: word\n');
    expect(html).toContain(
      'One<sup><a id="note-from-1" href="#note-1">1</a></sup> two<sup><a id="note-from-2" href="#note-2">2</a></sup>',
    );
    expect(html).toContain('again<sup><a href="#note-1">1</a></sup>');
    expect(html).toMatch(
      /<h2>Notes<\/h2><ol><li id="note-1">word <a href="#note-from-1"[^]*<li id="note-2">First <em>note<\/em> goes on\./,
    );
  });

  it('sets raised and marked text, boxes, captions, and columns of numbers', async () => {
    const table = '| a | b | c |\n|---|---|---|\n| x | 1,200 € | −4 % |\n| y | – | +5 % |\n\nTable: What it *cost*\n';
    const html = await page(`m^2^ is ==large==, 1^ and 2 == 2\n\n> [!WARNING]\n> Careful\n\n${table}`);
    expect(html).toContain('m<sup>2</sup> is <mark>large</mark>, 1^ and 2 == 2');
    expect(html).toContain('<div class="callout warn"><p dir="auto">Careful</p></div>');
    expect(html).toContain(
      '<caption>What it <em>cost</em></caption><thead><tr><th>a</th><th class="num">b</th><th class="num">c</th>',
    );
    expect(html).not.toContain('Table: What');
  });

  it('lists its headings with their pages where [TOC] stands, and after a cover from five on', async () => {
    const headings = '# A\n\n## A1\n\n# B\n\n# C\n\n# D\n';
    const placed = await page(`Before\n\n[TOC]\n\n${headings}`, { language: 'de' });
    expect(placed).toMatch(
      /Before<\/p>\n<nav class="toc"><h2>Inhalt<\/h2><ol><li><a href="#section-1"><span>A<\/span><span data-page-of="section-1">/,
    );
    expect(placed).toContain('<h2 id="section-1">A</h2>\n<h3 id="section-2">A1</h3>');
    expect(await page(headings)).not.toContain('class="toc"');
    expect(await page(headings, { hasTitlePage: true })).toContain('<main><nav class="toc">');
  });

  it('is called, without a title, as its first heading, its bold line, or its first words', async () => {
    const name = async (markdown: string) => /<title>(.*?)<\/title>/.exec(await page(markdown, { title: '' }))?.[1];
    expect(await name('Dear all,\n\n## The *new* office\n\nText')).toBe('The new office');
    expect(await name('شركة النور\n\n**الموضوع: نتائج الربع الثالث**\n\nتحية طيبة')).toBe('الموضوع: نتائج الربع الثالث');
    expect(await name('One\ntwo\n\nThree')).toMatch(/^One( two)?$/);
    expect(await name('word '.repeat(40))).toBe(`${'word '.repeat(16).trim()}…`);
    expect(await name('---')).toBe('Document');
  });

  it('runs from right to left where its text does', async () => {
    expect(await page('שלום עולם', { title: 'ספר', language: '' })).toContain('dir="rtl"');
    expect(await page('שלום', { title: 'A book in English' })).toContain('dir="ltr"');
    expect(await page('x', { language: 'ar' })).toContain('@top-right { content: "T"');
  });

  it('keeps the signs of numbers at their side where the text runs from right to left', async () => {
    const html = await page('ارتفعت بنسبة **23.2%** إلى €1,200.50 ونحو -5%.\n\n| ا |\n|---|\n| 74.0% |\n', { language: 'ar' });
    expect(html).toContain('<strong><bdi dir="ltr">23.2%</bdi></strong>');
    expect(html).toContain('<bdi dir="ltr">€1,200.50</bdi>');
    expect(html).toContain('<bdi dir="ltr">-5%</bdi>.');
    expect(html).toContain('<td class="num"><bdi dir="ltr">74.0%</bdi></td>');
    expect(await page('Up 23.2% to €1,200.50')).not.toContain('<bdi');
  });

  it('holds markup of its text as text, everywhere', async () => {
    const hostile = '"></style><script>alert(1)</script><img src=x onerror=1>';
    const markdown = `# ${hostile}\n\n${hostile} [^1] [a](javascript:alert(1))\n\n> [!NOTE]\n> ${hostile}\n\n| ${hostile} |\n|---|\n| ${hostile} |\n\nTable: ${hostile}\n\n\`\`\`\n${hostile}\n\`\`\`\n\n[^1]: ${hostile}\n`;
    const html = await page(markdown, {
      title: hostile,
      subtitle: hostile,
      author: hostile,
      date: hostile,
      theme: hostile,
      language: '"><b>',
    });
    expect(html).not.toMatch(/<script|<img|onerror=1>(?!&|")|javascript:/);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
  });
});

describe('a document without a browser', () => {
  it('has its notes at the end and a list of its headings instead of contents', async () => {
    const made = await text('[TOC]\n\n# A\n\nm^2^ x^ab^ ==y==[^1]\n\n# B\n\n[^1]: Why\n');
    expect(made).toBe('T\n=\n\n- A\n- B\n\nA\n=\n\nm² x^ab y[1]\n\nB\n=\n\n--------------------\n\n1. Why\n');
  });

  it('says which notes are missing and that HTML stays text', async () => {
    const { remarks } = await read('One[^x] <b>bold</b>');
    expect(remarks).toEqual([
      expect.stringContaining('No note is defined for [^x], which stays in the text.') as string,
      expect.stringContaining('HTML such as <b> stays in the text') as string,
    ]);
    expect((await read('Plain[^1]\n\n[^1]: x')).remarks).toEqual([]);
  });
});
