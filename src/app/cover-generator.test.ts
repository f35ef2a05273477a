import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { afterAll, describe, expect, it } from 'vitest';
import { testSandbox } from '../../test/support/sandbox/sandbox-under-test.ts';
import { systemClock } from '@errand/base/clock.ts';
import { sheetFields } from '@errand/documents/workbook-spec';
import { deckFields } from '@errand/documents/deck-spec';
import { createGenerators } from '@errand/documents';
import type { CoverKind } from '../rules/artifacts/cover.ts';
import { findBrowser, findFfmpeg, findOffice } from '@errand/sandbox/programs';
import { createPdfConverter } from './build-pdf-converter.ts';
import { createDocumentReader } from '../tools/files/readers/document-reader.ts';
import { createCoverGenerator } from './cover-generator.ts';

const generators = createGenerators(systemClock);
const documents = createDocumentReader(systemClock);
const program = findBrowser();
/** Enough on any machine. */
const wallMs = 300_000;
const shots = testSandbox && program !== null ? { sandbox: testSandbox, program, wallMs } : null;
const { signal } = new AbortController();
const office = findOffice();
/** Pages are made anew for every cover here, in a folder that ends with the test. */
const pdfFolder = mkdtempSync(join(tmpdir(), 'errand-printed-'));
const papers = new Map<string, Buffer>();
const pdfConversion = {
  async convert({ blobId, ending }: { blobId: string; ending: string }) {
    if (!testSandbox || office === null) throw new Error('not on this machine');
    const pages = await createPdfConverter({ sandbox: testSandbox, program: office })(
      papers.get(blobId) ?? Buffer.of(),
      ending,
      signal,
    );
    const path = join(pdfFolder, `${blobId}.pdf`);
    writeFileSync(path, pages);
    return { path, bytes: pages.length };
  },
};
const ffmpeg = findFfmpeg();
const media = testSandbox && ffmpeg !== null ? { sandbox: testSandbox, program: ffmpeg } : null;
const covers = createCoverGenerator({ generators, documents, shots, pdfConversion, media });
const nothing = () => Promise.reject(new Error('nothing is to be read'));
/** A folder for the covers, for people to look at. */
const pictures = process.env.ERRAND_TEST_PICTURES;

afterAll(() => rmSync(pdfFolder, { recursive: true }));

interface Look {
  width: number;
  height: number;
  /** Parts of the picture that are not of its commonest colour, roughly. */
  spread: number;
}

async function look(png: Uint8Array, name: string): Promise<Look> {
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(`${pictures}/${name}.png`, png);
  }
  const { width, height } = await sharp(png).metadata();
  const { channels } = await sharp(png).flatten({ background: '#fff' }).stats();
  return { width, height, spread: Math.max(...channels.slice(0, 3).map(({ stdev }) => stdev)) };
}

async function cover(kind: Exclude<CoverKind, 'converted'>, bytes: Uint8Array | string, name: string = kind): Promise<Look> {
  return look(await covers.make({ kind, bytes: Buffer.from(bytes) }, signal), name);
}

const text = `# Growth in the harbour

The new shop sells **more than all others**; the reasons are these:

- the place, which everybody passes
- the hours, which are long

| Month | Revenue |
|---|---:|
| January | 2,100 |
| March | 3,090 |

![a picture](chart.png) ${'All of it grew, month by month. '.repeat(12)}`;

async function makeText(format: 'docx' | 'pdf'): Promise<Uint8Array> {
  const about = { title: 'Report', subtitle: '', author: '', date: '', language: 'en', hasTitlePage: false, nowMs: 0 };
  const markdown = text.replace(/!\[.*\)/, '');
  const job = { files: [{ path: `a.${format}`, format }], markdown, ...about, pageSize: 'A4' as const };
  return (await generators.make('document', job, { owner: 'a1', readFile: nothing, signal })).files[0]?.bytes ?? new Uint8Array();
}

const csv = `Month,Region,Revenue,Note\nJanuary,North,2100.50,"opened, late"\nFebruary,South,1800,<b>&\nMarch,北,3090,\n`;

/** A second of a tone that grows. */
function makeSound(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(16_000, 40);
  const samples = Int16Array.from({ length: 8000 }, (_, at) => Math.sin(at / 5) * at * 4);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}

const deck = {
  title: 'Sales 2026',
  slides: [
    { layout: 'title', title: 'Sales 2026', subtitle: 'What the harbour brought' },
    { layout: 'bullets', title: 'Second', bullets: ['x'] },
  ],
};

async function makeDeck(format: 'html' | 'pptx'): Promise<Uint8Array> {
  const job = { files: [{ path: `deck.${format}`, format }], deck: z.object(deckFields).parse(deck), language: 'en' };
  return (await generators.make('deck', job, { owner: 'a1', readFile: nothing, signal })).files[0]?.bytes ?? new Uint8Array();
}

async function makeBook(format: 'xlsx' | 'ods'): Promise<Uint8Array> {
  const columns = [{ header: 'Month' }, { header: 'Revenue' }];
  const rows = [
    ['January', 2100.5],
    ['March', 3090],
  ];
  const workbook = z.object(sheetFields).parse({ sheets: [{ name: 'Sales', columns, rows }] });
  const job = { files: [{ path: `a.${format}`, format }], workbook, nowMs: 0 };
  return (await generators.make('sheets', job, { owner: 'a1', readFile: nothing, signal })).files[0]?.bytes ?? new Uint8Array();
}

const page = `<!doctype html><meta charset="utf-8"><style>body{background:#123;color:#fff;font:60px sans-serif}</style>
<h1>Hello</h1><p id="made"></p><script>document.getElementById('made').textContent = 'by a script: ' + 6 * 7</script>`;

function packSite(files: Record<string, string>): { kind: 'site'; bytes: Buffer; indexAt: number } {
  let start = 0;
  const index = Object.entries(files).map(([path, content]) => {
    const bytes = Buffer.byteLength(content);
    start += bytes;
    return { path, start: start - bytes, bytes, sha256: '' };
  });
  const body = Buffer.from(Object.values(files).join(''));
  return { kind: 'site', bytes: Buffer.concat([body, Buffer.from(JSON.stringify(index))]), indexAt: body.length };
}

describe('a cover shows', () => {
  it('the first page of texts and documents', async () => {
    for (const [kind, bytes] of [
      ['markdown', text],
      ['text', `Dear # reader,\n\n* this is no list\n1. and this none\n${'word '.repeat(300)}`],
      ['word', await makeText('docx')],
      ['pdf', await makeText('pdf')],
    ] as const) {
      const { width, height, spread } = await cover(kind, bytes);
      expect([width, height]).toEqual([282, 400]);
      expect(spread).toBeGreaterThan(8);
    }
  });

  it('the first rows of tables and workbooks', async () => {
    const tables = [
      ['table', csv, 'csv'],
      ['table', `Only a title\n${csv}`, 'titled'],
      ['workbook', await makeBook('xlsx'), 'xlsx'],
      ['workbook', await makeBook('ods'), 'ods'],
    ] as const;
    for (const [kind, bytes, name] of tables) {
      const { width, height, spread } = await cover(kind, bytes, name);
      expect([width, height]).toEqual([640, 400]);
      expect(spread).toBeGreaterThan(8);
    }
  });

  it('the text of the first slide, without a browser', async () => {
    expect(await cover('slides', await makeDeck('pptx'))).toMatchObject({ width: 640, height: 360 });
  });

  it('how loud a recording is', async () => {
    expect(await cover('sound', makeSound())).toMatchObject({ width: 640, height: 400 });
  });

  it('an image, and a drawing without external references', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><image href="file:///etc/passwd"/><circle r="400" cx="450" cy="450" fill="#147"/></svg>';
    expect(await cover('picture', drawing, 'svg')).toMatchObject({ width: 400, height: 400 });
  });
});

describe.skipIf(!testSandbox || office === null)('with an office program', () => {
  it('shows the first slide and the first page as they are, with their pictures and colors', async () => {
    papers.set('slides', Buffer.from(await makeDeck('pptx')));
    papers.set('letter', Buffer.from(await makeText('docx')));
    const shown = async (blobId: string, ending: string) => {
      const request = { accountId: 'a1', blobId, bytes: 1, ending };
      return look(await covers.make({ kind: 'converted', request }, signal), blobId);
    };
    expect((await shown('slides', 'pptx')).width).toBe(640);
    expect(await shown('letter', 'docx')).toMatchObject({ width: 282, height: 400 });
  });
});

describe.skipIf(!media)('with FFmpeg', () => {
  const make = (...argv: string[]) => execFileSync('/usr/bin/ffmpeg', ['-v', 'error', '-f', 'lavfi', ...argv, 'pipe:1']);
  const film = ['-i', 'testsrc=duration=2:size=320x180:rate=10', '-f'];
  const tone = ['-i', 'aevalsrc=sin(880*t)*t/3:d=3', '-f'];

  it('shows a frame of a video, and the loudness of compressed audio', async () => {
    for (const [kind, bytes, name] of [
      ['film', make(...film, 'webm'), 'webm'],
      ['film', make(...film, 'avi'), 'avi'],
      ['recording', make(...tone, 'mp3'), 'mp3'],
      ['recording', make(...tone, 'ogg'), 'ogg'],
      ['still', make('-i', 'testsrc=size=64x48', '-frames:v', '1', '-c:v', 'bmp', '-f', 'image2pipe'), 'bmp'],
    ] as const) {
      const { width, height, spread } = await cover(kind, bytes, name);
      expect([name, width <= 640 && height <= 400, spread > 8]).toEqual([name, true, true]);
    }
  });

  it('rejects files without video or audio, even if they reference other files', async () => {
    const list = "ffconcat version 1.0\nfile '/etc/passwd'\n";
    for (const bytes of ['no film', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n', list]) {
      await expect(cover('film', bytes)).rejects.toThrow('nothing to be seen');
      await expect(cover('recording', bytes)).rejects.toThrow('nothing to be seen');
    }
    await expect(cover('recording', make('-i', 'anullsrc=d=1', '-f', 'mp3'))).rejects.toThrow('The recording is silent');
  });
});

describe.skipIf(!shots)('in a browser', () => {
  it('shows pages, decks and sites as visitors see them, with their scripts and styles', async () => {
    const site = packSite({
      'index.html':
        '<!doctype html><link rel="stylesheet" href="css/a.css"><h1>Shop</h1><script type="module" src="a.js"></script>',
      'css/a.css': 'body{background:#264;color:#fff;font:80px sans-serif}',
      'a.js': "import { word } from './b.js'; document.body.append(word);",
      'b.js': "export const word = 'made by a module';",
    });
    const shown = [await cover('page', page), await look(await covers.make(site, signal), 'site')];
    for (const { width, height, spread } of shown) {
      expect([width, height]).toEqual([640, 400]);
      expect(spread).toBeGreaterThan(8);
    }
  });

  it('shows only the first slide of a deck', async () => {
    const { width, height, spread } = await cover('deck', await makeDeck('html'));
    expect([width, height, spread > 8]).toEqual([640, 360, true]);
  });

  it('rejects a blank page, and ends one that never finishes', async () => {
    await expect(cover('page', '<!doctype html><title>x</title>')).rejects.toThrow('shows nothing');
    const hasty = createCoverGenerator({
      generators,
      documents,
      pdfConversion: null,
      media: null,
      shots: shots && { ...shots, wallMs: 2_000 },
    });
    const endless = Buffer.from('<!doctype html><script>for (;;);</script>');
    await expect(hasty.make({ kind: 'page', bytes: endless }, signal)).rejects.toThrow('failed to take a screenshot');
  });
});

describe('there is no cover', () => {
  it.each<[string, Exclude<CoverKind, 'converted'>, string | Buffer]>([
    ['a text in an unsupported script', 'markdown', '# مرحبا'],
    ['an empty text', 'table', ''],
    ['an invalid table', 'table', Buffer.from([0, 1, 2])],
    ['an invalid workbook', 'workbook', 'PK\u0003\u0004 and no more'],
    ['a document that is HTML', 'word', '<html>'],
    ['silence', 'sound', makeSound().fill(0, 44)],
    ['a recording that is text', 'sound', 'RIFF'],
    ['an image with too many pixels', 'picture', '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>'],
  ])('of %s', async (_, kind, bytes) => {
    await expect(cover(kind, bytes)).rejects.toThrow();
  });
});
