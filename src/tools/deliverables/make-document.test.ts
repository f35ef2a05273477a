import { inflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { type Workspace } from '@errand/sandbox/workspace';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress, type Press } from '@errand/sandbox/press';
import { findBrowser } from '@errand/sandbox/programs';
import { Fault } from '@errand/base/fault.ts';
import { createMakeDocument } from './make-document.ts';

const tool = createMakeDocument(createGenerators(systemClock));
let workspace: Workspace;

useWorkspace('document', (opened) => {
  workspace = opened;
});

async function make(input: Record<string, unknown>, report: (text: string) => void = () => undefined) {
  return await tool.run(tool.input.parse(input), toolContext(workspace, { report }));
}

const text = async (path: string) => (await workspace.read(path)).toString();

/** The XML of a Word file's parts. */
async function readParts(path: string): Promise<Record<string, string>> {
  const parts = unzipSync(await workspace.read(path));
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

/** A PNG whose header claims more pixels than anybody should decode. */
function pixelBomb(): Buffer {
  const header = Buffer.alloc(33);
  header.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 0, 'latin1');
  header.writeUInt32BE(60_000, 16);
  header.writeUInt32BE(60_000, 20);
  header.set([8, 2, 0, 0, 0], 24);
  header.writeUInt32BE(0x8a_0f_6c_18, 29);
  return header;
}

describe('make_document', () => {
  it('reports which file it is making while it works', async () => {
    const lines: string[] = [];
    await make({ files: ['d.pdf', 'd.txt'], markdown: '# Title' }, (line) => lines.push(line));
    expect(lines).toEqual(['Setting d.pdf.\n', 'Setting d.txt.\n']);
  });

  it('writes one text in every form', async () => {
    const logo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#f00' } })
      .webp()
      .toBuffer();
    await workspace.write('img/logo one.webp', logo);
    const markdown =
      '# Title\n\nHello **bold** [link](https://x.test/).\n\n![The logo](img/logo%20one.webp)\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n';
    const outcome = await make({ files: ['d.pdf', 'd.docx', 'd.md', 'd.txt'], markdown, author: 'Ada' });
    expect(outcome.output).toContain('Made d.pdf');
    expect((await workspace.read('d.pdf')).toString('latin1', 0, 5)).toBe('%PDF-');
    const parts = await readParts('d.docx');
    expect(parts['word/document.xml']).toContain('<w:t xml:space="preserve">bold</w:t>');
    expect(Object.keys(parts).some((name) => /^word\/media\/.*\.(png|jpg)$/.test(name))).toBe(true);
    expect(parts['docProps/core.xml']).toContain('Ada');
    expect(await text('d.txt')).toBe(
      'Title\n=====\n\nAda\n\nHello bold link (https://x.test/).\n\n[The logo]\n\na  b\n-  -\n1  2\n',
    );
    expect(await text('d.md')).toBe(markdown);
  });

  it('says so if it replaces another result, and not if it makes the same again', async () => {
    const note = 'This replaced what was in a.txt. For a result beside the earlier one, take another name.';
    expect((await make({ files: ['a.txt'], markdown: 'One.' })).output).not.toContain('replaced');
    expect((await make({ files: ['a.txt'], markdown: 'One.' })).output).not.toContain('replaced');
    expect((await make({ files: ['b.txt', './a.txt'], markdown: 'Two.' })).output.split('\n')).toContain(note);
  });

  it('reads its text from a file', async () => {
    await workspace.write('notes.md', 'From the file.');
    await make({ files: ['a.txt'], source: 'notes.md', title: 'T' });
    expect(await text('a.txt')).toBe('T\n=\n\nFrom the file.\n');
  });

  it('finds pictures beside its source, in folders next to it, and from the workspace', async () => {
    const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    for (const path of ['report/a.png', 'charts/b.png', 'c.png']) await workspace.write(path, picture);
    await workspace.write('report/r.md', '![a](a.png)\n\n![b](../charts/b.png)\n\n![c](c.png)\n\n![c](charts/b.png)');
    await make({ files: ['report/r.docx'], source: 'report/r.md' });
    expect(Object.keys(await readParts('report/r.docx')).filter((name) => name.startsWith('word/media/'))).not.toEqual([]);
    await workspace.write('report/wrong.md', '![x](../../etc/passwd)');
    await expect(make({ files: ['a.docx'], source: 'report/wrong.md' })).rejects.toThrow('leads out of the workspace');
  });

  it('says that a heading repeats the title in other words', async () => {
    const markdown = '# Sales grew\n\n## Why\n\nBecause.';
    expect((await make({ files: ['a.txt'], markdown, title: 'Sales 2025' })).output).toContain(
      'the heading "Sales grew". Leave one out.',
    );
    expect((await make({ files: ['b.txt'], markdown })).output).not.toContain('Two titles');
    const parts = '# Sales grew\n\nBecause.\n\n# Outlook\n\nGood.';
    expect((await make({ files: ['c.txt'], markdown: parts, title: 'Sales 2025' })).output).not.toContain('Two titles');
  });

  it('treats markup as text and links only to safe URLs', async () => {
    const hostile = '"><w:p/><script>alert(1)</script>&\u0000\u0008\u202e\ud800';
    const links = '[a](javascript:alert(1)) [b](file:///etc/passwd) [c](https://x.test/"onclick=1)';
    await make({
      files: ['a.docx', 'a.pdf'],
      title: hostile,
      author: hostile,
      markdown: `${hostile}\n\n${links}\n\n<img src=x onerror=1>`,
    });
    for (const [name, part] of Object.entries(await readParts('a.docx'))) {
      // oxlint-disable-next-line no-control-regex
      expect(part, name).not.toMatch(/<script|<img|onclick="|javascript:|file:\/\/|[\u0000-\u0008\u202e]/);
    }
    const pdf = (await workspace.read('a.pdf')).toString('latin1');
    const streams = [...pdf.matchAll(/stream\r?\n([\s\S]*?)endstream/g)].map(([, body = '']) => {
      try {
        return inflateRawSync(Buffer.from(body, 'latin1').subarray(2)).toString('latin1');
      } catch {
        return '';
      }
    });
    for (const part of [pdf, ...streams]) expect(part).not.toMatch(/\/JavaScript|\/Launch|\/URI \((?!https:)/);
  });

  it('reports what cannot be written, and writes nothing', async () => {
    await workspace.write('bomb.png', pixelBomb());
    await workspace.write('text.png', 'no picture');
    await workspace.write('svg.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>');
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ files: ['a.exe'], markdown: 'x' }, /files\.0: "a\.exe" must end in \.pdf or \.docx or \.md or \.txt/],
      [{ files: ['../a.pdf'], markdown: 'x' }, /leads out of the workspace/],
      [{ files: ['a.pdf'] }, /markdown: is missing/],
      [{ files: ['a.pdf'], markdown: '' }, /nothing to write/],
      [{ files: ['a.pdf'], markdown: '![x](https://x.test/a.png)' }, /is an address/],
      [{ files: ['a.pdf'], markdown: '![x](../../etc/passwd)' }, /leads out of the workspace/],
      [{ files: ['a.pdf'], markdown: '![x](none.png)' }, /does not exist/],
      [{ files: ['a.pdf'], markdown: '![x](text.png)' }, /"text\.png" is no picture that can be read/],
      [{ files: ['a.pdf'], markdown: '![x](bomb.png)' }, /"bomb\.png" (has more than 50000000 pixels|is no picture)/],
      [{ files: ['a.pdf'], markdown: '![x](svg.svg)' }, /"svg\.svg" has more than 50000000 pixels/],
      [{ files: ['a.pdf'], markdown: 'שלום' }, /script that cannot be set here\. Make a \.docx/],
      [{ files: ['a.docx'], markdown: '>'.repeat(100) }, /nested more than 12 deep/],
      [{ files: ['a.docx'], markdown: '>'.repeat(100_000) }, /nested/],
    ];
    for (const [input, problem] of wrong) await expect(make(input), JSON.stringify(input).slice(0, 80)).rejects.toThrow(problem);
    expect((await workspace.list('', 10)).map(({ path }) => path)).toEqual(['bomb.png', 'svg.svg', 'text.png']);
  });

  it('typesets very long texts, words and tables', async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => `| ${at} | ${'long '.repeat(at % 100 === 0 ? 900 : 3)} |`).join('\n');
    const markdown = `${'x'.repeat(20_000)}\n\n| a | b |\n|--|--|\n${rows}\n\n\`\`\`\n${'code '.repeat(5_000)}\n\`\`\`\n`;
    expect((await make({ files: ['a.pdf', 'a.docx', 'a.txt'], markdown })).status).toBe('success');
  });
});

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const press = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office: null } }) : null;

afterAll(() => sandbox?.close());

async function makeWith(given: Press, input: Record<string, unknown>) {
  const withPress = createMakeDocument(createGenerators(systemClock), given);
  const show = (name: string, picture: Uint8Array) => Promise.resolve({ blobId: 'b', bytes: picture.length, name });
  return await withPress.run(withPress.input.parse(input), toolContext(workspace, { show }));
}

const longReport = Array.from(
  { length: 6 },
  (_, at) =>
    `# Part ${at + 1}\n\n${'All of it grew, month by month, and nobody knew why. '.repeat(120)}[^1]\n\n| a | b |\n|---|---|\n| x | 12 |\n\nTable: Sums ${at}\n`,
).join('\n');

describe.skipIf(press === null)('make_document with a browser', () => {
  it('makes a PDF with cover, numbered contents, bookmarks, tags, notes, and any script, shows its first pages, and says how to see the others', async () => {
    const markdown = `${longReport}\n\n# العربية\n\nنص عربي\n\n[^1]: Nobody asked.\n`;
    const { output, pictures } = await makeWith(press as Press, {
      files: ['r.pdf', 'r.txt'],
      markdown,
      title: 'Growth',
      title_page: true,
    });
    expect(output).toMatch(/^Made r\.pdf \((\d+) pages\)\./);
    expect(output).not.toMatch(/cut off by|contrast of|was not found/);
    expect(pictures?.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6].map((page) => `.render/r-pdf-${page}.png`));
    expect(output).toMatch(/\n6 of (\d+) pages are shown\. The others: render r\.pdf, pages "7-\1"\.\n/);
    const pdf = (await workspace.read('r.pdf')).toString('latin1');
    expect(pdf).toContain('/StructTreeRoot');
    expect(pdf).toContain('/Outlines');
    expect(pdf).toContain('/section-7');
    expect(pdf).not.toMatch(/\/JavaScript|\/Launch|127\.0\.0\.1/);
    expect(await text('r.txt')).toContain('[1]');
  });

  it('makes a PDF and a Word document of an HTML file, and nothing else', async () => {
    await workspace.write('p.html', '<!doctype html><html lang="en"><title>P</title><p>Words</p></html>');
    expect((await makeWith(press as Press, { files: ['p.pdf'], source: 'p.html' })).output).toContain('Made p.pdf (1 page).');
    expect((await make({ files: ['p.docx'], source: 'p.html' })).output).toContain('Made p.docx');
    await expect(make({ files: ['p.txt'], source: 'p.html' })).rejects.toThrow(/a \.pdf and a \.docx can be made/);
    await expect(make({ files: ['p.pdf'], source: 'p.html' })).rejects.toThrow(/no Chromium/);
  });

  it('says how many pages the Word document beside a PDF has, without pictures of the same text', async () => {
    const asked: string[] = [];
    const counting: Press = {
      run: (request, around) => {
        if (!('path' in request.page)) return (press as Press).run(request, around);
        asked.push(`${request.page.path}: ${request.pictures}`);
        return Promise.resolve({ problem: null, pageCount: 2, pictures: [], findings: [] });
      },
    };
    const { output } = await makeWith(counting, { files: ['l.pdf', 'l.docx'], markdown: 'Dear all' });
    expect(output).toMatch(/Made l\.docx [^]*\nl\.docx: 2 pages when converted\.$/);
    expect(asked).toEqual(['l.docx: null']);
  });

  it('makes a plain PDF if the browser fails, and says so', async () => {
    const broken: Press = { run: () => Promise.reject(new Fault('unavailable', 'crashed')) };
    const { output } = await makeWith(broken, { files: ['b.pdf'], markdown: 'Text[^1]\n\n[^1]: Note' });
    expect(output).toContain('Chromium could not be used: the pdf is plain, its notes stand at the end');
    expect((await workspace.read('b.pdf')).toString('latin1', 0, 5)).toBe('%PDF-');
  });
});
