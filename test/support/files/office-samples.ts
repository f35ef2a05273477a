import { unzipSync, type Zippable, zipSync } from 'fflate';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
/** The namespace of relationships. */
export const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

export type Parts = Record<string, string | Uint8Array>;

/** A package of parts, as an office program packs it. */
export function packOffice(parts: Parts): Uint8Array {
  const files: Zippable = {};
  for (const [name, content] of Object.entries(parts)) {
    files[name] = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  }
  return zipSync(files, { level: 6, mtime: new Date(2026, 0, 5) });
}

/** The parts of a package. */
export function unpackOffice(bytes: Uint8Array): Map<string, Buffer> {
  return new Map(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, Buffer.from(content)]));
}

export function partOf(bytes: Uint8Array, name: string): string {
  return unpackOffice(bytes).get(name)?.toString('utf8') ?? '';
}

export function relationships(entries: readonly [id: string, type: string, target: string][]): string {
  const each = entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${packages}/relationships">${each.join('')}</Relationships>`;
}

export function contentTypes(overrides: Readonly<Record<string, string>>): string {
  const each = Object.entries(overrides).map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${each.join('')}</Types>`;
}

const sectionProperties =
  '<w:sectPr w:rsidR="00A1"><w:headerReference w:type="default" r:id="rId2"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/><w:docGrid w:linePitch="360"/></w:sectPr>';

const styles = `<?xml version="1.0"?><w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr></w:style></w:styles>`;

/** A Word document with this body, a header, styles, and a part that no program knows. */
export function wordParts(body: string, more: Parts = {}): Parts {
  return {
    '[Content_Types].xml': contentTypes({
      'word/document.xml': `${wordType}.document.main+xml`,
      'word/styles.xml': `${wordType}.styles+xml`,
      'word/header1.xml': `${wordType}.header+xml`,
    }),
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationships([
      ['rId1', 'styles', 'styles.xml'],
      ['rId2', 'header', 'header1.xml'],
    ]),
    'word/document.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:document xmlns:w="${word}" xmlns:r="${office}" xmlns:x14="urn:unknown" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14"><w:body>${body}${sectionProperties}</w:body></w:document>`,
    'word/header1.xml': `<w:hdr xmlns:w="${word}"><w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t>Confidential, Example Ltd</w:t></w:r></w:p></w:hdr>`,
    'word/styles.xml': styles,
    'customXml/item1.xml': '<x14:kept xmlns:x14="urn:unknown"  a = "1"\n/>',
    ...more,
  };
}

export function wordFile(body: string, more: Parts = {}): Uint8Array {
  return packOffice(wordParts(body, more));
}

/** A run, with the format that its sign stands for. */
export function run(text: string, format: '' | 'b' | 'i' | 'u' = ''): string {
  const properties = format === '' ? '' : `<w:rPr><w:${format}/></w:rPr>`;
  return `<w:r w:rsidR="00B2">${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
}

export function paragraph(...runs: string[]): string {
  return `<w:p w:rsidR="00C3">${runs.join('')}</w:p>`;
}

export function cell(...blocks: string[]): string {
  return `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${blocks.join('')}</w:tc>`;
}

export function table(...rows: string[][]): string {
  const grid = `<w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(rows[0]?.length ?? 0)}</w:tblGrid>`;
  const lines = rows.map((row) => `<w:tr>${row.map((text) => cell(paragraph(run(text)))).join('')}</w:tr>`);
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr>${grid}${lines.join('')}</w:tbl>`;
}

/** What is read on the pages, a line for each paragraph; deleted text in brackets, inserted text in braces. */
export function linesOf(bytes: Uint8Array, part = 'word/document.xml'): string[] {
  const xml = partOf(bytes, part);
  return [...xml.matchAll(/<w:p[ >/].*?<\/w:p>|<w:p\/>/gs)].map(([whole]) =>
    whole
      .replaceAll(/<w:pPr>.*?<\/w:pPr>/gs, '')
      .replaceAll(/<w:del [^>]*>(.*?)<\/w:del>/gs, '[$1]')
      .replaceAll(/<w:ins [^>]*>(.*?)<\/w:ins>/gs, '{$1}')
      .replaceAll(/<w:br\/>/g, '|')
      .replaceAll(/<w:tab\/>/g, '\t')
      .replaceAll(/<w:instrText.*?<\/w:instrText>/gs, '')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&amp;', '&')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>'),
  );
}
