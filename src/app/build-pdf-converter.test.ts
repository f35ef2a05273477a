import { zipSync } from 'fflate';
import pptxgen from 'pptxgenjs';
import { expect, it } from 'vitest';
import { testSandbox } from '../../test/support/sandbox/sandbox-under-test.ts';
import { findOffice } from '@errand/sandbox/programs';
import { createPdfConverter } from './build-pdf-converter.ts';

const program = findOffice();
const { signal } = new AbortController();

async function convert(bytes: Uint8Array, ending: string, wallMs = 45_000): Promise<Buffer> {
  if (!testSandbox || program === null) throw new Error('not on this machine');
  return Buffer.from(await createPdfConverter({ sandbox: testSandbox, program, wallMs })(bytes, ending, signal));
}

const Presentation = 'default' in pptxgen ? pptxgen.default : (pptxgen as unknown as typeof import('pptxgenjs').default);

async function makeDeck(): Promise<Uint8Array> {
  const deck = new Presentation();
  for (const text of ['First', 'Second', 'Third']) deck.addSlide().addText(text, { x: 1, y: 1, w: 5, h: 1 });
  return (await deck.write({ outputType: 'uint8array' })) as Uint8Array;
}

const flat = (body: string) =>
  Buffer.from(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY passwd SYSTEM "file:///etc/passwd"><!ENTITY here "inside">]>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:mimetype="application/vnd.oasis.opendocument.text" office:version="1.3"><office:body><office:text><text:p>${body}</text:p></office:text></office:body></office:document>`);

it.skipIf(!testSandbox || program === null)(
  'LibreOffice converts documents in the sandbox, and rejects other files',
  async () => {
    const pages = await convert(await makeDeck(), 'pptx');
    expect(pages.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pages.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
    expect((await convert(Buffer.from('{\\rtf1 Hello}'), 'rtf')).subarray(0, 5).toString()).toBe('%PDF-');
    const bomb = zipSync({
      'content.xml': new Uint8Array(30_000_000),
      mimetype: Buffer.from('application/vnd.oasis.opendocument.text'),
    });
    for (const [bytes, ending] of [
      [Buffer.from('PK\u0003\u0004 and no more'), 'pptx'],
      [bomb, 'odp'],
    ] as const) {
      await expect(convert(bytes, ending), ending).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    await expect(convert(await makeDeck(), 'pptx', 50)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect((await convert(flat('a text'), 'fodt')).length).toBeGreaterThan(1000);
  },
);
