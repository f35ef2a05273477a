import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { makePresentation, makeWordFile } from './preview-samples.ts';
import type { SampleFile } from './web-under-test.ts';

const file = (filename: string, content: string | Uint8Array): SampleFile => ({
  filename,
  type: 'application/octet-stream',
  content,
});

/** An office file with one of its parts written anew. */
function rewrite(bytes: Uint8Array, name: string, change: (part: string) => string): Uint8Array {
  const parts = unzipSync(bytes);
  const part = parts[name];
  if (!part) throw new Error(`there is no ${name}`);
  return zipSync({ ...parts, [name]: strToU8(change(strFromU8(part))) });
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Links that a reader follows, to a script and to somewhere else, and a picture from elsewhere. */
function addRelations(relations: string, trap: string): string {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const more = [
    `<Relationship Id="evil1" Type="${office}/hyperlink" Target="javascript:alert('xss')" TargetMode="External"/>`,
    `<Relationship Id="evil2" Type="${office}/image" Target="${trap}/office.png" TargetMode="External"/>`,
    `<Relationship Id="evil3" Type="${office}/image" Target="file:///etc/passwd" TargetMode="External"/>`,
  ];
  return relations.replace('</Relationships>', `${more.join('')}</Relationships>`);
}

/** Entities that grow by themselves and one that reads a file, before the root of a part. */
const declare = (part: string) =>
  part.replace(
    /(<\?xml[^>]*\?>)?/,
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "lollollollollollollollollollol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY x SYSTEM "file:///etc/passwd">]>',
  );

async function makeHostileSlides(payloads: readonly string[], trap: string): Promise<Uint8Array> {
  const bytes = await makePresentation([payloads.join(' ').slice(0, 2000), ...payloads.slice(0, 4)]);
  const slide = 'ppt/slides/slide1.xml';
  const linked = rewrite(bytes, slide, (part) =>
    part
      .replaceAll(/<a:rPr /g, '<a:rPr dirty="0" ')
      .replace(
        '</p:spTree>',
        `<p:pic><p:nvPicPr><p:cNvPr id="99" name="${escape(payloads[0] ?? '')}"><a:hlinkClick r:id="evil1"/></p:cNvPr><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="evil2" r:link="evil3"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm></p:spPr></p:pic></p:spTree>`,
      ),
  );
  return rewrite(linked, 'ppt/slides/_rels/slide1.xml.rels', (part) => addRelations(part, trap));
}

async function makeHostileWorkbook(payloads: readonly string[]): Promise<Uint8Array> {
  const name = `<img src=x onerror=alert(1)>`.replaceAll(/[:\\/?*[\]]/g, '').slice(0, 31);
  const rows = [...payloads.map((payload) => [payload, 1.5]), ['=HYPERLINK("javascript:alert(1)")', 2]];
  const cells = new Map(
    payloads.map(
      (payload, row) =>
        [
          `${row},1`,
          { value: 1.5, formula: `"${payload.replaceAll('"', '""')}"`, style: { numFmt: `"${payload.replaceAll('"', '')}"0.0` } },
        ] as const,
    ),
  );
  return writeXlsx({ sheets: [{ name, rows, cells, merges: [{ startRow: 0, startCol: 0, endRow: 900_000, endCol: 16_000 }] }] });
}

/** Real documents whose words, links and names attack. */
export async function makeHostileDocuments(payloads: readonly string[], trap: string): Promise<SampleFile[]> {
  const all = payloads.join(' ').replaceAll('\n', ' ');
  const word = rewrite(await makeWordFile(all), 'word/_rels/document.xml.rels', (part) => addRelations(part, trap));
  const linked = rewrite(word, 'word/document.xml', (part) =>
    part.replace('</w:body>', '<w:p><w:hyperlink r:id="evil1"><w:r><w:t>follow me</w:t></w:r></w:hyperlink></w:p></w:body>'),
  );
  return [
    file('hostile.pptx', await makeHostileSlides(payloads, trap)),
    file('hostile.xlsx', await makeHostileWorkbook(payloads)),
    file('hostile.docx', linked),
    file(
      'hostile.rtf',
      `{\\rtf1{\\field{\\*\\fldinst{HYPERLINK "javascript:alert(1)"}}{\\fldrslt x}}{\\field{\\*\\fldinst{INCLUDEPICTURE "${trap}/rtf.png"}}}}`,
    ),
    file(
      'hostile.fodt',
      `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:scripts><office:script>alert(1)</office:script></office:scripts></office:document>`,
    ),
  ];
}

/** Office files that are made to be too much: entities, sizes, and bytes of nothing. */
export async function makeOfficeBombs(): Promise<SampleFile[]> {
  const [slides, word] = [await makePresentation(['bomb']), await makeWordFile('bomb')];
  const book = await writeXlsx({ sheets: [{ name: 'Bomb', rows: [['bomb']] }] });
  const zeros = (bytes: Uint8Array, name: string) => zipSync({ ...unzipSync(bytes), [name]: new Uint8Array(220_000_000) });
  return [
    file(
      'entities.pptx',
      rewrite(slides, 'ppt/slides/slide1.xml', (part) => declare(part).replaceAll('bomb', '&e;&x;')),
    ),
    file(
      'entities.xlsx',
      rewrite(book, 'xl/workbook.xml', (part) => declare(part).replace('name="Bomb"', 'name="&e;&x;"')),
    ),
    file(
      'entities.docx',
      rewrite(word, 'word/document.xml', (part) => declare(part).replaceAll('bomb', '&e;&x;')),
    ),
    file(
      'huge.pptx',
      rewrite(slides, 'ppt/presentation.xml', (part) => part.replace(/<p:sldSz [^>]*>/, '<p:sldSz cx="2147483647" cy="1"/>')),
    ),
    file(
      'huge.xlsx',
      rewrite(book, 'xl/worksheets/sheet1.xml', (part) =>
        part.replace(/r="A1"/, 'r="XFD1048576"').replace(/<row r="1"/, '<row r="1048576"'),
      ),
    ),
    file('zeros.pptx', zeros(slides, 'ppt/media/a.xml')),
    file('zeros.xlsx', zeros(book, 'xl/worksheets/sheet2.xml')),
    file('zeros.docx', zeros(word, 'word/footnotes.xml')),
  ];
}
