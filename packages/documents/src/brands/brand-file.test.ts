import { brotliCompressSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contentTypes, packOffice, type Parts, wordParts } from '../../../../test/support/files/office-samples.ts';
import { type BrandFileJob, examineBrandFile } from './brand-file.ts';

async function examine(kind: BrandFileJob['kind'], content: string | Uint8Array): Promise<unknown> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const { files } = await examineBrandFile({ kind, logoBytes: 50_000 }, () => Promise.resolve(bytes));
  return JSON.parse(Buffer.from(files[0]?.bytes ?? []).toString());
}

const svg = (inner: string, more = '') => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" ${more}>${inner}</svg>`;
const shape = '<defs><linearGradient id="g"/></defs><path fill="url(#g)" style="stroke: #b3002d" d="M0 0h9v9z"/>';

describe('a logo', () => {
  it('is an SVG drawing, with or without the declarations of drawing programs, or a PNG picture', async () => {
    const declared = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/d.dtd">${svg(shape)}`;
    const png = await sharp({ create: { width: 30, height: 10, channels: 3, background: '#b3002d' } })
      .png()
      .toBuffer();
    expect([await examine('logo', svg(shape)), await examine('logo', declared), await examine('logo', png)]).toEqual([
      { form: 'svg' },
      { form: 'svg' },
      { form: 'png' },
    ]);
  });

  it.each([
    ['runs a script', svg('<script>alert(1)</script>'), /<script>/],
    ['runs a script of another name space', svg('<x:script xmlns:x="http://www.w3.org/2000/svg"/>'), /<script>/],
    ['listens', svg('<path/>', 'onload="alert(1)"'), /onload/],
    ['listens in an element', svg('<g><path onClick="alert(1)"/></g>'), /onClick/],
    ['shows a page', svg('<foreignObject><b/></foreignObject>'), /foreignObject/],
    ['loads a picture', svg('<image href="https://example.com/a.png"/>'), /outside/],
    ['loads a file', svg('<image xlink:href="file:///etc/passwd" xmlns:xlink="http://www.w3.org/1999/xlink"/>'), /outside/],
    ['uses another drawing', svg('<use href="other.svg#a"/>'), /outside/],
    ['uses a drawing in its address', svg('<use href="data:image/svg+xml;base64,PHN2Zy8+"/>'), /outside/],
    ['leads somewhere', svg('<a href="javascript:alert(1)"><path/></a>'), /outside/],
    ['moves its base', svg('<g xml:base="https://example.com/"/>'), /outside/],
    ['fills from elsewhere', svg('<path fill="url(https://example.com/a#b)"/>'), /url\(\)/],
    ['imports a style', svg('<style>@import "https://example.com/a.css";</style>'), /styles/],
    ['hides an import', svg('<style>@\\69mport "https://example.com/a.css";</style>'), /styles/],
    ['loads a font', svg('<style>@font-face { src: url(https://example.com/a) }</style>'), /url\(\)/],
    ['has a style sheet', `<?xml-stylesheet href="a.css"?>${svg('')}`, /style sheet/],
    ['declares entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('&a;')}`, /document type/],
    ['is nested too deep', svg('<g>'.repeat(300) + '</g>'.repeat(300)), /nested/],
    ['is no drawing', '<html><body/></html>', /no drawing/],
    ['is a picture of another kind', Buffer.from('ffd8ffe000104a464946', 'hex'), /neither an SVG nor a PNG/],
    ['is a damaged picture', Buffer.from('89504e470d0a1a0a00000000', 'hex'), /no picture/],
  ])('is refused if it %s', async (_, content, reason) => {
    await expect(examine('logo', content)).rejects.toMatchObject({ code: 'invalid_argument', message: reason });
  });
});

const kit = new URL('../../../../skills/design-kit/kit/fonts/', import.meta.url);

/** A WOFF2 file of one table, which says that it unpacks to `size`. */
function packFont(content: Buffer, size: number): Buffer {
  const packed = brotliCompressSync(content);
  const digits = [28, 21, 14, 7, 0].map((shift, at) => ((size >>> shift) & 0x7f) | (at < 4 ? 0x80 : 0));
  const directory = Buffer.from([0x05, ...digits]);
  const head = Buffer.alloc(48);
  head.write('wOF2', 0, 'latin1');
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(48 + directory.length + packed.length, 8);
  head.writeUInt16BE(1, 12);
  head.writeUInt32BE(1000, 16);
  head.writeUInt32BE(packed.length, 20);
  return Buffer.concat([head, directory, packed]);
}

function trueType(tables: readonly string[], length = 10): Buffer {
  const head = Buffer.alloc(12 + tables.length * 16 + 20);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(tables.length, 4);
  for (const [at, name] of tables.entries()) {
    head.write(name, 12 + at * 16, 'latin1');
    head.writeUInt32BE(12 + tables.length * 16, 12 + at * 16 + 8);
    head.writeUInt32BE(length, 12 + at * 16 + 12);
  }
  return head;
}

const needed = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];

describe('a font', () => {
  it('is a WOFF2 or TTF file', async () => {
    for (const name of ['inter-latin.woff2', 'eb-garamond-greek-italic.woff2', 'nunito-cyrillic.woff2']) {
      expect(await examine('font', await readFile(new URL(name, kit)))).toEqual({ form: 'woff2' });
    }
    expect(await examine('font', trueType(needed))).toEqual({ form: 'ttf' });
  });

  it.each([
    ['unpacks to more than it says', packFont(Buffer.alloc(100_000), 1000), /damaged/],
    ['says that it unpacks to more than fits', packFont(Buffer.alloc(10), 40_000_000), /more than 16 MB/],
    ['ends early', packFont(Buffer.alloc(100), 100).subarray(0, 60), /damaged/],
    ['has a table beyond its end', trueType(needed, 5000), /damaged/],
    ['has no letters', trueType(['head']), /no letters/],
    ['is something else', Buffer.from('<html></html>'), /neither a WOFF2 nor a TTF/],
    ['is empty', Buffer.alloc(0), /damaged/],
  ])('is refused if it %s', async (_, content, reason) => {
    await expect(examine('font', content)).rejects.toMatchObject({ code: 'invalid_argument', message: reason });
  });
});

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const outside = (type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/></Relationships>`;
const theme = `<a:theme xmlns:a="${drawing}"><a:themeElements><a:clrScheme name="x"><a:dk1><a:sysClr val="windowText" lastClr="1A1A1A"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="B3002D"/></a:accent1><a:accent2><a:srgbClr val="FFD100"/></a:accent2></a:clrScheme><a:fontScheme name="x"><a:majorFont><a:latin typeface="Manrope"/></a:majorFont><a:minorFont><a:latin typeface="Corporate S"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>`;
const template = (more: Parts = {}) => packOffice(wordParts('<w:p/>', more));

describe('a template', () => {
  it('says what it is, and what it looks like', async () => {
    const png = await sharp({ create: { width: 30, height: 10, channels: 3, background: '#b3002d' } })
      .png()
      .toBuffer();
    const relations = outside('image', '').replace('Target=""', 'Target="media/logo.png"').replace(' TargetMode="External"', '');
    const parts = { 'word/theme/theme1.xml': theme, 'word/_rels/header1.xml.rels': relations, 'word/media/logo.png': png };
    expect(await examine('template', template(parts))).toEqual({ form: 'docx' });
    expect(await examine('look', template(parts))).toEqual({
      form: 'docx',
      text: '#1a1a1a',
      background: '#ffffff',
      accents: ['#b3002d', '#ffd100'],
      headingFont: 'Manrope',
      textFont: 'Corporate S',
      logo: { form: 'png', base64: png.toString('base64') },
    });
    expect(await examine('look', template())).toEqual({ form: 'docx', accents: [] });
  });

  it('may have links in its text', async () => {
    const parts = { 'word/_rels/header1.xml.rels': outside('hyperlink', 'https://example.com/') };
    expect(await examine('template', template(parts))).toEqual({ form: 'docx' });
  });

  const macros = contentTypes({ 'word/document.xml': 'application/vnd.ms-word.document.macroEnabled.main+xml' });
  it.each([
    ['unpacks to more than fits', template({ 'word/media/a.bmp': Buffer.alloc(101 * 1024 * 1024) }), /more than 100 MB/],
    [
      'loads another template',
      template({
        'word/_rels/settings.xml.rels': outside('attachedTemplate', 'https://e.com/t.dotm'),
        'word/settings.xml': '<a/>',
      }),
      /loads something from elsewhere \(attachedTemplate/,
    ],
    [
      'loads a picture',
      template({ 'word/_rels/header1.xml.rels': outside('image', '\\\\server\\a.png') }),
      /loads something from elsewhere \(image/,
    ],
    ['has macros', template({ 'word/vbaProject.bin': 'x' }), /macros/],
    ['says that it has macros', template({ '[Content_Types].xml': macros }), /without macros/],
    ['embeds a program', template({ 'word/embeddings/oleObject1.bin': 'x' }), /embedded programs/],
    ['is another archive', packOffice({ 'a.txt': 'x' }), /no Word, Excel, or PowerPoint/],
    ['is no archive', Buffer.from('hello'), /damaged/],
  ])('is refused if it %s', async (_, content, reason) => {
    await expect(examine('template', content)).rejects.toMatchObject({ code: 'invalid_argument', message: reason });
  });
});
