import { strToU8, zipSync } from 'fflate';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PreviewFault } from '../files/preview-fault.ts';
import { readPresentation } from './presentation-read.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (...all: [id: string, type: string, target: string, mode?: string][]) =>
  `<Relationships>${all
    .map(
      ([id, type, target, mode]) =>
        `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
    )
    .join('')}</Relationships>`;
const place = (x: number, y: number, width: number, height: number) =>
  `<a:xfrm><a:off x="${x * 12_700}" y="${y * 12_700}"/><a:ext cx="${width * 12_700}" cy="${height * 12_700}"/></a:xfrm>`;
const words = (text: string, look = '') => `<p:txBody><a:p><a:r><a:rPr ${look}/><a:t>${text}</a:t></a:r></a:p></p:txBody>`;

const slide = `<p:sld><p:cSld><p:bg><p:bgPr><a:solidFill><a:srgbClr val="F4EFE6"/></a:solidFill></p:bgPr></p:bg><p:spTree>
<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr/>${words('Growth &amp; more', 'sz="3600" b="1"')}</p:sp>
<p:grpSp><p:grpSpPr><a:xfrm><a:off x="1270000" y="0"/><a:ext cx="1270000" cy="1270000"/><a:chOff x="0" y="0"/><a:chExt cx="2540000" cy="2540000"/></a:xfrm></p:grpSpPr>
<p:pic><p:blipFill><a:blip r:embed="r2"/></p:blipFill><p:spPr>${place(100, 100, 50, 50)}</p:spPr></p:pic>
<p:pic><p:blipFill><a:blip r:embed="r3"/></p:blipFill><p:spPr>${place(0, 0, 9, 9)}</p:spPr></p:pic></p:grpSp>
</p:spTree></p:cSld></p:sld>`;

const parts: Record<string, string> = {
  '_rels/.rels': relations(['r1', 'officeDocument', 'ppt/presentation.xml']),
  'ppt/presentation.xml':
    '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>',
  'ppt/_rels/presentation.xml.rels': relations(['r1', 'slide', 'slides/slide1.xml']),
  'ppt/slides/slide1.xml': slide,
  'ppt/slides/_rels/slide1.xml.rels': relations(
    ['r1', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
    ['r2', 'image', '../media/dot.png'],
    ['r3', 'image', 'https://tracker.example/pixel.png', 'External'],
    ['r4', 'notesSlide', '../notesSlides/notesSlide1.xml'],
  ),
  'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr>${place(40, 30, 800, 90)}</p:spPr></p:sp></p:spTree></p:cSld></p:sldLayout>`,
  'ppt/notesSlides/notesSlide1.xml': `<p:notes><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr>${words('Say it slowly.')}</p:sp></p:spTree></p:cSld></p:notes>`,
  'ppt/media/dot.png': 'a picture',
};
const pack = (changed: Record<string, string | Uint8Array> = {}) =>
  zipSync(
    Object.fromEntries(
      Object.entries({ ...parts, ...changed }).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { level: 1 },
  );

it('reads text, positions, pictures and notes of slides, and no external content', () => {
  const read = readPresentation(pack());
  expect(read).toMatchObject({ width: 960, height: 540 });
  const [first] = read.slides;
  expect(first).toMatchObject({ title: 'Growth & more', notes: 'Say it slowly.', background: '#F4EFE6' });
  const [title, picture, missing] = first?.shapes ?? [];
  // Its position is that of its layout.
  expect(title).toMatchObject({ x: 40, y: 30, width: 800, height: 90 });
  expect(title?.paragraphs[0]?.runs[0]).toMatchObject({ text: 'Growth & more', size: 36, isBold: true });
  // In a group that is drawn at half its size.
  expect(picture).toMatchObject({ x: 150, y: 50, width: 25, height: 25, picture: `data:image/png;base64,${btoa('a picture')}` });
  expect(missing?.picture).toBeNull();
  expect(JSON.stringify(read)).not.toContain('tracker.example');
});

it('rejects files that are not presentations, declare entities, or would become too large', () => {
  const entities = `<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${slide.replace('Growth', '&b;')}`;
  const deep = `<p:sld>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</p:sld>`;
  const zeros = Object.fromEntries(
    Array.from({ length: 21 }, (_, at) => [`ppt/slides/zero${at}.xml`, new Uint8Array(3_999_000)]),
  );
  for (const [bytes, trouble] of [
    [strToU8('no zip'), 'broken'],
    [zipSync({ 'a.txt': strToU8('x') }), 'broken'],
    [pack({ 'ppt/slides/slide1.xml': entities }), 'broken'],
    [pack({ 'ppt/slides/slide1.xml': '<p:sld>' }), 'broken'],
    [pack({ 'ppt/slides/slide1.xml': deep }), 'tooLarge'],
    [pack(zeros), 'tooLarge'],
  ] as const) {
    expect(() => readPresentation(bytes)).toThrow(new PreviewFault(trouble));
  }
});

it('reports what is wrong with any damaged file, and never fails in another way', () => {
  const whole = pack();
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.nat(whole.length), (noise, at) => {
      const damaged = Uint8Array.from(whole);
      damaged.set(noise.subarray(0, damaged.length - at), at);
      try {
        expect(readPresentation(damaged).slides.length).toBeLessThan(2);
      } catch (error) {
        expect(error).toBeInstanceOf(PreviewFault);
      }
    }),
    { numRuns: 200 },
  );
});
