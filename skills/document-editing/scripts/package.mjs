// Reads and writes the zip that a DOCX is; shared by the other scripts.
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

const largestPart = 64 * 1024 * 1024;

/** The parts of a package in their order: name and bytes. */
export function readPackage(path) {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end === -1) throw new Error(`${path} is no DOCX`);
  const parts = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + packed);
    parts.push({ name, content: method === 0 ? content : inflateRawSync(content, { maxOutputLength: largestPart }) });
    at += 46 + nameLength + extra + comment;
  }
  return parts;
}

export function writePackage(path, parts) {
  const files = [];
  const directory = [];
  let offset = 0;
  for (const { name, content } of parts) {
    const nameBytes = Buffer.from(name);
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(0x0800, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(0x00210000, 6);
    head.writeUInt32LE(crc32(content), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt16LE(nameBytes.length, 22);
    const file = [Buffer.from('PK\u0003\u0004', 'latin1'), head, nameBytes, packed];
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), head, tail, nameBytes);
    files.push(...file);
    offset += file.reduce((sum, piece) => sum + piece.length, 0);
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  writeFileSync(path, Buffer.concat([...files, directoryBytes, end]));
}

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export function decodeXml(text) {
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name) => {
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.replace(/^#x/i, '0x').replace('#', '')));
    return entities[name] ?? whole;
  });
}

export function encodeXml(text) {
  return text.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark]);
}

/** Parts that hold text which people read. */
export function isTextPart({ name }) {
  return /^word\/(document|header\d*|footer\d*|footnotes|endnotes)\.xml$/.test(name);
}

const paragraph = /<w:p[ >](?:(?!<w:p[ >])[\s\S])*?<\/w:p>/g;

export function textOfParagraph(xml) {
  return [...xml.matchAll(/<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:(tab|br)\b[^>]*\/>/g)]
    .map(([, text, mark]) => (mark === 'tab' ? '\t' : mark === 'br' ? '\n' : decodeXml(text)))
    .join('');
}

/** The paragraphs of a file: DOCX by its parts, anything else by its lines. */
export function readParagraphs(path) {
  if (!/\.docx$/i.test(path)) return readFileSync(path, 'utf8').split('\n');
  return readPackage(path)
    .filter(isTextPart)
    .flatMap(({ content }) => (content.toString().match(paragraph) ?? []).map(textOfParagraph));
}

/** Gives every paragraph of a part to `change` as XML; what it returns stands in its place. */
export function mapParagraphs(xml, change) {
  return xml.replace(paragraph, change);
}
