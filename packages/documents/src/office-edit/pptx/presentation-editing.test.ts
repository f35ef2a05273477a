import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { deckParts, slidesOf } from '../../../../../test/support/files/deck-samples.ts';
import { packOffice, type Parts, partOf, unpackOffice } from '../../../../../test/support/files/office-samples.ts';
import type { OfficeEdit } from '../edit-spec.ts';
import { editOffice } from '../office-editor.ts';

async function edit(edits: OfficeEdit[], more: Parts = {}) {
  const file = packOffice(deckParts(more));
  const picture = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const job = { path: 'a.pptx', output: 'b.pptx', edits, track: false, author: '', nowMs: 0 };
  const { files, notes } = await editOffice(job, (path) => Promise.resolve(path === 'a.pptx' ? file : picture));
  return { file, bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

const namesOf = (bytes: Uint8Array) => [...unpackOffice(bytes).keys()];

describe('editing a presentation', () => {
  it('replaces text across runs and leaves everything else as it was', async () => {
    const { file, bytes, notes } = await edit([{ do: 'replace', find: 'Welcome', with: 'Hello\nall' }]);
    const [before, after] = [unpackOffice(file), unpackOffice(bytes)];
    expect([...before.keys()].filter((name) => !after.get(name)?.equals(before.get(name) ?? Buffer.alloc(0)))).toEqual([
      'ppt/slides/slide1.xml',
    ]);
    expect(slidesOf(bytes)[0]).toBe('Hello|all; Go on');
    expect(partOf(bytes, 'ppt/slides/slide1.xml')).toContain(
      '<a:r><a:rPr lang="en"/><a:t>Hello</a:t></a:r><a:br><a:rPr lang="en"/></a:br><a:r><a:rPr lang="en"/><a:t>all</a:t></a:r></a:p>',
    );
    expect(notes[0]).toBe('1. replace: replaced "Welcome" in one place.');
  });

  it('copies a slide with its notes and its own parts, and fills each copy', async () => {
    const { bytes } = await edit([
      { do: 'duplicate_slide', slide: 2 },
      { do: 'duplicate_slide', slide: 2, position: 1 },
      {
        do: 'fill',
        slide: 1,
        values: {
          city: 'Oslo',
          items: [
            { name: 'a', price: 1 },
            { name: 'b', price: 2 },
          ],
        },
      },
      { do: 'fill', slide: 3, values: { city: 'Bern', items: [] } },
      { do: 'fill', values: { city: 'Rome', items: [{ name: 'c', price: 3 }] } },
    ]);
    expect(slidesOf(bytes)).toEqual([
      'Sales in Oslo; Item; Price; a; 1; b; 2',
      'Welcome; Go on',
      'Sales in Bern; Item; Price',
      'Sales in Rome; Item; Price; c; 3',
    ]);
    const notes = ['1', '2', '3'].map((number) =>
      partOf(bytes, `ppt/notesSlides/notesSlide${number}.xml`)
        .replaceAll(/<[^>]+>/g, '')
        .trim(),
    );
    expect(notes.toSorted()).toEqual(['Say: Bern', 'Say: Oslo', 'Say: Rome']);
    expect(partOf(bytes, 'ppt/notesSlides/_rels/notesSlide2.xml.rels')).toContain('slides/slide3.xml');
    expect(namesOf(bytes)).toContain('ppt/tags/tag3.xml');
    const book = partOf(bytes, 'ppt/presentation.xml');
    expect([...book.matchAll(/<p:sldId id="(\d+)"/g)].map(([, id]) => id)).toEqual(['259', '256', '257', '258']);
    expect([...book.matchAll(/<p14:sldId id="(\d+)"/g)].map(([, id]) => id)).toEqual(['259', '256', '257', '258']);
    expect(partOf(bytes, '[Content_Types].xml')).toContain('PartName="/ppt/slides/slide4.xml"');
  });

  it('deletes a slide with everything that only it has, and the links to it', async () => {
    const { bytes } = await edit([{ do: 'delete_slide', slide: 2 }]);
    expect(slidesOf(bytes)).toEqual(['Welcome; Go on']);
    expect(namesOf(bytes).filter((name) => /slide2|notes|tag/.test(name))).toEqual([]);
    expect(
      namesOf(bytes)
        .map((name) => partOf(bytes, name))
        .join(''),
    ).not.toMatch(/slide2\.xml|notesSlide1|tag1\.xml|hlinkClick|"257"/);
    const first = await edit([{ do: 'delete_slide', slide: 1 }]);
    expect(namesOf(first.bytes)).not.toContain('ppt/media/image1.png');
    expect(namesOf(first.bytes)).toContain('ppt/notesSlides/notesSlide1.xml');
  });

  it('reorders slides, also in their sections', async () => {
    const { bytes } = await edit([{ do: 'move_slide', slide: 2, position: 1 }]);
    expect(slidesOf(bytes)[1]).toBe('Welcome; Go on');
    expect([...partOf(bytes, 'ppt/presentation.xml').matchAll(/sldId id="(\d+)"/g)].map(([, id]) => id)).toEqual([
      '257',
      '256',
      '257',
      '256',
    ]);
  });

  it('shows another picture in the frame of one, cut to its proportions', async () => {
    const { bytes } = await edit([{ do: 'picture', image: 'p.png', slide: 1, at: 'the logo', alt: 'New "logo"' }]);
    const xml = partOf(bytes, 'ppt/slides/slide1.xml');
    expect(xml).toContain('<a:srcRect l="33333" r="33333"/><a:stretch>');
    expect(xml).toContain('descr="New &quot;logo&quot;"');
    expect(partOf(bytes, 'ppt/slides/_rels/slide1.xml.rels')).toContain('../media/image2.png');
    expect(namesOf(bytes)).toContain('ppt/media/image1.png');
  });

  it('names what is impossible', async () => {
    const wrong: [OfficeEdit, string][] = [
      [{ do: 'replace', find: 'Sales', with: 'x', slide: 1 }, 'is not in the document'],
      [{ do: 'replace', find: '{{city}}', with: 'x' }, 'occurs 2 times'],
      [{ do: 'duplicate_slide', slide: 9 }, 'there is no slide 9; the presentation has 2'],
      [{ do: 'move_slide', slide: 1, position: 3 }, 'must be from 1 to 2'],
      [{ do: 'picture', image: 'p.png', slide: 2 }, 'slide 2 has no picture'],
      [{ do: 'picture', image: 'p.png', slide: 1, at: 'x' }, 'must name one of the pictures of slide 1: "Logo"'],
      [{ do: 'comment', find: 'a', text: 'b' }, 'is no edit of presentations. There are replace'],
      [{ do: 'fill', values: {} }, 'has nothing for'],
    ];
    for (const [each, problem] of wrong) await expect(edit([each]), problem).rejects.toThrow(problem);
    await expect(
      edit([
        { do: 'delete_slide', slide: 1 },
        { do: 'delete_slide', slide: 1 },
      ]),
    ).rejects.toThrow('is the only one');
  });
});
