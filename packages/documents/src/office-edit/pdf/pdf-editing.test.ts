import { deflateSync } from 'node:zlib';
import { degrees, PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { OfficeEdit } from '../edit-spec.ts';
import { editOffice } from '../office-editor.ts';
import { loadPdf } from './pdf-loading.ts';

/** A PDF whose pages say `NAME 1`, `NAME 2`, … */
async function makePdf(count: number, name = 'page', change: (document: PDFDocument) => unknown = () => undefined) {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= count; number++)
    document.addPage([400, 300]).drawText(`${name} ${number}`, { x: 50, y: 150, size: 20, font });
  await change(document);
  return document.save();
}

async function makeForm(change: (document: PDFDocument) => unknown = () => undefined) {
  return makePdf(1, 'form', (document) => {
    const form = document.getForm();
    const page = document.getPage(0);
    form.createTextField('customer.name').addToPage(page, { x: 50, y: 200, width: 200, height: 20 });
    form.createCheckBox('agree').addToPage(page, { x: 50, y: 100, width: 15, height: 15 });
    const plan = form.createDropdown('plan');
    plan.setOptions(['basic', 'full']);
    plan.addToPage(page, { x: 50, y: 60, width: 100, height: 20 });
    const place = form.createRadioGroup('place');
    place.addOptionToPage('here', page, { x: 200, y: 60, width: 15, height: 15 });
    place.addOptionToPage('there', page, { x: 240, y: 60, width: 15, height: 15 });
    return change(document);
  });
}

async function edit(file: Uint8Array, edits: OfficeEdit[], others: Record<string, Uint8Array> = {}) {
  const job = { path: 'a.pdf', output: 'b.pdf', edits, track: false, author: '', nowMs: 0 };
  return editOffice(job, (path) => Promise.resolve(path === 'a.pdf' ? file : (others[path] ?? new Uint8Array())));
}

async function editOne(file: Uint8Array, edits: OfficeEdit[], others: Record<string, Uint8Array> = {}) {
  const { files, notes } = await edit(file, edits, others);
  return { bytes: files[0]?.bytes ?? new Uint8Array(), notes };
}

/** The text of each page, as a reader of PDFs extracts it. */
async function readPages(bytes: Uint8Array): Promise<string[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  try {
    const document = await task.promise;
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const { items } = await (await document.getPage(number)).getTextContent();
      pages.push(items.map((item) => ('str' in item ? item.str : '')).join('|'));
    }
    return pages;
  } finally {
    await task.destroy();
  }
}

describe('the pages of a PDF', () => {
  it('are selected and put in order, and of those that go nothing is left in the file', async () => {
    const { bytes, notes } = await editOne(await makePdf(4), [{ do: 'select_pages', pages: '3,1-2' }]);
    expect(await readPages(bytes)).toEqual(['page 3', 'page 1', 'page 2']);
    expect(notes[0]).toContain('a page removed');
    const { context } = await loadPdf(bytes, 'b.pdf');
    const pages = context.enumerateIndirectObjects().filter(([, object]) => /\/Type \/Page\b/.test(object.toString()));
    expect(pages).toHaveLength(3);
  });

  it('of other files are added where they are wanted, with forms as plain content', async () => {
    const others = { 'b.pdf': await makePdf(2, 'other'), 'form.pdf': await makeForm() };
    const { bytes, notes } = await editOne(
      await makePdf(2),
      [
        { do: 'merge', files: ['b.pdf'], position: 2 },
        { do: 'merge', files: ['form.pdf'] },
      ],
      others,
    );
    expect(await readPages(bytes)).toEqual(['page 1', 'other 1', 'other 2', 'page 2', expect.stringContaining('form 1')]);
    expect(notes[1]).toBe('2. merge: added a page; there are 5 now; the forms of form.pdf are plain content now.');
  });

  it('become a file for each part, called after its pages', async () => {
    const { files } = await edit(await makePdf(5), [{ do: 'split', pages: '1-2,4-' }]);
    expect(files.map(({ path }) => path)).toEqual(['b-pages-1-2.pdf', 'b-pages-4-5.pdf']);
    const texts = await Promise.all(files.map(({ bytes }) => readPages(bytes)));
    expect(texts).toEqual([
      ['page 1', 'page 2'],
      ['page 4', 'page 5'],
    ]);
    await expect(edit(await makePdf(2), [{ do: 'split', pages: '1' }, { do: 'flatten' }])).rejects.toThrow('comes after split');
  });

  it('turn, and say so if they do not exist', async () => {
    const { bytes } = await editOne(await makePdf(3), [{ do: 'rotate_pages', pages: '2-', degrees: 270 }]);
    const angles = (await loadPdf(bytes, 'b.pdf')).getPages().map((page) => page.getRotation().angle);
    expect(angles).toEqual([0, 270, 270]);
    const file = await makePdf(3);
    for (const pages of ['4', '0', 'a', '', '2-9'])
      await expect(edit(file, [{ do: 'select_pages', pages }])).rejects.toThrow('pages');
    await expect(edit(file, [{ do: 'select_pages', pages: '1,1-2' }])).rejects.toThrow('names page 1 twice');
  });

  it('keep what they have from the tree of pages above them', async () => {
    const file = await makePdf(2, 'page', (document) => {
      for (const { node } of document.getPages()) node.delete(PDFName.of('MediaBox'));
      document.catalog.Pages().set(PDFName.of('MediaBox'), document.context.obj([0, 0, 200, 100]));
    });
    const { bytes } = await editOne(file, [{ do: 'select_pages', pages: '2' }]);
    expect((await loadPdf(bytes, 'b.pdf')).getPage(0).getSize()).toEqual({ width: 200, height: 100 });
  });
});

describe('a stamp on a PDF', () => {
  it('writes page numbers, in any of our letters and upright on turned pages', async () => {
    const file = await makePdf(3, 'page', (document) => document.getPage(1).setRotation(degrees(90)));
    const { bytes } = await editOne(file, [{ do: 'stamp', text: 'Seite {page} / {pages} — Ж', pages: '2-' }]);
    expect(await readPages(bytes)).toEqual(['page 1', 'page 2||Seite 2 / 3 — Ж', 'page 3||Seite 3 / 3 — Ж']);
  });

  it('lets what is below it through, across the page by default', async () => {
    const { bytes } = await editOne(await makePdf(1), [{ do: 'stamp', text: 'DRAFT', at: 'diagonal' }]);
    const { getDocument, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
    const { fnArray, argsArray } = await (await (await task.promise).getPage(1)).getOperatorList();
    await task.destroy();
    const states = (argsArray as unknown[]).filter((_, at) => fnArray[at] === OPS.setGState);
    expect(JSON.stringify(states)).toContain('["ca",0.18]');
  });

  it('is a picture as well, and its place is one that there is', async () => {
    const picture = await sharp({ create: { width: 200, height: 100, channels: 4, background: '#b3002d' } })
      .png()
      .toBuffer();
    const file = await makePdf(1);
    const { bytes } = await editOne(file, [{ do: 'stamp', image: 'logo.png', at: 'top-right', width_cm: 3, opacity: 0.5 }], {
      'logo.png': picture,
    });
    expect(Buffer.from(bytes).toString('latin1')).toContain('/Image');
    await expect(edit(file, [{ do: 'stamp', text: 'a', at: 'somewhere' }])).rejects.toThrow('top-left, top-center');
    await expect(edit(file, [{ do: 'stamp' }])).rejects.toThrow('give either text or image');
    await expect(edit(file, [{ do: 'stamp', text: 'سلام' }])).rejects.toThrow('Stamp a picture of it instead');
  });
});

describe('a form in a PDF', () => {
  it('is filled by the names of its fields, in any of our letters, and can become plain content', async () => {
    const values = { 'customer.name': 'Ada Ж Łodź', agree: true, plan: 'full', place: 'there' };
    const filled = await editOne(await makeForm(), [{ do: 'fill', values }]);
    const form = (await loadPdf(filled.bytes, 'b.pdf')).getForm();
    expect(form.getTextField('customer.name').getText()).toBe('Ada Ж Łodź');
    expect([form.getCheckBox('agree').isChecked(), form.getDropdown('plan').getSelected()]).toEqual([true, ['full']]);
    expect(form.getRadioGroup('place').getSelected()).toBe('there');
    const flat = await editOne(filled.bytes, [{ do: 'flatten' }]);
    expect((await loadPdf(flat.bytes, 'b.pdf')).getForm().getFields()).toEqual([]);
    const [page] = await readPages(flat.bytes);
    expect(page).toContain('Ada Ж Łodź');
    expect(page).toContain('full');
  });

  it('names its fields and what they take where a value does not fit', async () => {
    const file = await makeForm();
    const refused = (values: Record<string, unknown>) => expect(edit(file, [{ do: 'fill', values }])).rejects;
    await refused({ name: 'a' }).toThrow(
      'There are "customer.name" (text), "agree" (true or false), "plan" (one of "basic", "full")',
    );
    await refused({ plan: 'half' }).toThrow('"plan" (one of "basic", "full") has no choice "half"');
    await refused({ agree: 'yes' }).toThrow('"agree" (true or false) takes no "yes"');
    await refused({ 'customer.name': { first: 'a' } }).toThrow('takes a text');
    await refused({ 'customer.name': 'नमस्ते' }).toThrow('stamp a picture of it');
    await expect(edit(await makePdf(1), [{ do: 'fill', values: { a: 1 } }])).rejects.toThrow('the PDF has no form');
  });
});

/** A PDF whose objects are packed in one stream that holds `packed`. */
function packedPdf(packed: Uint8Array, filter = '/FlateDecode'): Uint8Array {
  const head = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n';
  const start = `${head}3 0 obj\n<< /Type /ObjStm /N 1 /First 5 /Filter ${filter} /Length ${packed.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(start), packed, Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')]);
}

describe('a PDF that cannot be edited', () => {
  it('is refused with what it is: none, cut off, protected, or without pages', async () => {
    const whole = await makePdf(2);
    const flatten: OfficeEdit[] = [{ do: 'rotate_pages', degrees: 90 }];
    await expect(edit(Buffer.from('no pdf'), flatten)).rejects.toThrow('path: a.pdf cannot be read: it is damaged, or no PDF.');
    await expect(edit(whole.subarray(0, 300), flatten)).rejects.toThrow('a.pdf has no pages, or is damaged');
    const secret = await makePdf(1, 'page', (document) => document.encrypt({ userPassword: 'a', ownerPassword: 'b' }));
    await expect(edit(secret, flatten)).rejects.toThrow('a.pdf is protected. Ask for a copy without a password');
    const merge: OfficeEdit[] = [{ do: 'merge', files: ['b.pdf'] }];
    await expect(edit(whole, merge, { 'b.pdf': secret })).rejects.toThrow('files.0: b.pdf is protected');
  });

  it('is refused before it unpacks to more than can be held', async () => {
    const bomb = deflateSync(Buffer.alloc(300 * 1024 * 1024, 32));
    await expect(loadPdf(packedPdf(bomb), 'a.pdf')).rejects.toThrow('it unpacks to more than can be held');
    await expect(loadPdf(packedPdf(deflateSync(bomb), '[/FlateDecode /FlateDecode]'), 'a.pdf')).rejects.toThrow('unusual way');
  });

  it('says of an edit of another kind of file which there are', async () => {
    await expect(edit(await makePdf(1), [{ do: 'append', rows: [['a']] }])).rejects.toThrow(
      'is no edit of PDFs. There are merge, select_pages, rotate_pages, stamp, fill, flatten, split.',
    );
  });
});
