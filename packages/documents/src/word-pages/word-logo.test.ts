import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { unpackOffice } from '../../../../test/support/files/office-samples.ts';
import { makeWord } from './word-document.ts';

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><path fill="#00aa00" d="M0 0h30v5H0z"/></svg>';
const noFile = () => Promise.reject(new Error('nothing is to be read'));

async function write(body: string, { root = 'lang="en"', logo = Buffer.from(drawing) } = {}) {
  const html = `<!doctype html><html ${root}><head><title>Annual report</title></head><body>${body}</body></html>`;
  const page = { html, folder: '', author: '', brand: { theme: 'report', styles: '', logo } };
  const { bytes, remarks } = await makeWord(page, noFile);
  const parts = unpackOffice(bytes);
  /** The pictures that a part shows, in their order. */
  const pictures = (part: string) => {
    const relations = parts.get(part.replace('word/', 'word/_rels/').concat('.rels'))?.toString() ?? '';
    const shown = [...(parts.get(part)?.toString() ?? '').matchAll(/<a:blip r:embed="([^"]+)"/g)];
    return shown.map(([, id = '']) => {
      const [relation = ''] = relations.match(new RegExp(`<Relationship [^>]*Id="${id}"[^>]*>`)) ?? [];
      return parts.get(`word/${/Target="([^"]+)"/.exec(relation)?.[1] ?? ''}`) ?? Buffer.alloc(0);
    });
  };
  const headers = [...parts.keys()].filter((name) => /^word\/header\d+\.xml$/.test(name));
  return { parts, headers, pictures, remarks, text: parts.get('word/document.xml')?.toString() ?? '' };
}

async function colorAt(picture: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 4;
  return data.subarray(at, at + 4).toString('hex');
}

describe('the logo of a brand in a Word document', () => {
  it('is on the cover, on a white plate, and in the header of each page after it', async () => {
    const made = await write('<header class="cover"><h1>Report</h1></header><main><h2>One</h2><p>a</p></main>');
    const [cover, ...others] = made.pictures('word/document.xml');
    // The other picture is the ground of the cover.
    expect(others).toHaveLength(1);
    // Green where it is drawn, and white where the drawing has nothing.
    expect(await colorAt(cover ?? Buffer.alloc(0), 0.5, 0.4)).toBe('00aa00ff');
    expect(await colorAt(cover ?? Buffer.alloc(0), 0.5, 0.75)).toBe('ffffffff');
    expect(made.text.indexOf('<w:drawing>')).toBeLessThan(made.text.indexOf('Report'));
    for (const header of made.headers) {
      const [logo] = made.pictures(header);
      expect(await colorAt(logo ?? Buffer.alloc(0), 0.5, 0.75)).toMatch(/00$/);
      expect(made.parts.get(header)?.toString()).toContain('Annual report');
    }
    expect(made.headers.length).toBeGreaterThan(0);
    const { width, height } = await sharp(made.pictures(made.headers[0] ?? '')[0]).metadata();
    expect([width, height]).toEqual([1_200, 400]);
  });

  it('is above a title without a cover, whose page has no header', async () => {
    const made = await write('<header class="title-block"><h1>Report</h1></header><p>a</p>', { root: 'lang="ar" dir="rtl"' });
    expect(made.pictures('word/document.xml')).toHaveLength(1);
    const shown = made.headers.map((header) => made.pictures(header).length);
    expect(shown.toSorted((one, other) => one - other)).toEqual([0, 1]);
    expect(made.text).toMatch(/<w:bidi\/>.{0,300}<w:drawing>/s);
  });

  it('is absent from a page that names another theme', async () => {
    const made = await write('<header class="cover"><h1>Report</h1></header><p>a</p>', { root: 'lang="en" data-theme="deck"' });
    expect([...made.parts.keys()].filter((name) => /media\/.*\.png$/.test(name))).toEqual([]);
  });

  it('is drawn without what its file runs or loads, and left out with a word to the model if it is damaged', async () => {
    const hostile = drawing.replace(
      '<path',
      '<script>x()</script><image href="file:///etc/hostname" width="9" height="9"/><path',
    );
    const drawn = await write('<header class="title-block"><h1>Report</h1></header>', { logo: Buffer.from(hostile) });
    expect(drawn.remarks).toEqual([]);
    expect(drawn.pictures('word/document.xml')).toHaveLength(1);
    expect([...drawn.parts.keys()].filter((name) => /media\/.*(?<!\.png)$/.test(name))).toEqual([]);
    for (const file of ['\u0089PNG damaged', '<svg', '']) {
      const made = await write('<h1>Report</h1>', { logo: Buffer.from(file, 'latin1') });
      expect(made.remarks).toEqual(['The logo of the brand is not shown: its file cannot be drawn.']);
      expect([...made.parts.keys()].filter((name) => name.startsWith('word/media/'))).toEqual([]);
    }
  });
});
