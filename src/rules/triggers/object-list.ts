import type { ListedObject } from './watched-bucket.ts';

/** A page of a list of objects. */
export interface ObjectPage {
  objects: ListedObject[];
  /** Asks for the next page; null for the last one. */
  next: string | null;
}

/** Bytes of the longest key that S3 allows. */
const longestKey = 1024;
/** What an ETag may be to be sent back in a header. */
const plainEtag = /^[!-~]{0,1000}$/;

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

function readEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name] ?? whole;
  const code = Number(name.startsWith('#x') ? `0x${name.slice(2)}` : name.slice(1));
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
}

/** The text of an element without children; null if there is none, or one that cannot be read. */
function readElement(xml: string, name: string): string | null {
  const start = xml.indexOf(`<${name}>`);
  if (start < 0) return null;
  const end = xml.indexOf('<', start + name.length + 2);
  if (!xml.startsWith(`</${name}>`, end)) return null;
  return xml.slice(start + name.length + 2, end).replaceAll(/&(#x[\da-fA-F]{1,6}|#\d{1,7}|[a-z]{1,4});/g, readEntity);
}

/** Undoes the encoding of keys that a list was asked for, so that it can have keys that XML cannot. */
function decodeKey(key: string): string | null {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** An ETag without its quotes and the mark of a weak one, which proxies add. */
export function bareEtag(text: string): string {
  return text.replace(/^W\//, '').replaceAll('"', '');
}

function readObject(xml: string, isEncoded: boolean): ListedObject | null {
  const written = readElement(xml, 'Key');
  const key = written !== null && isEncoded ? decodeKey(written) : written;
  const etag = bareEtag(readElement(xml, 'ETag') ?? '');
  const bytes = Number(readElement(xml, 'Size') ?? Number.NaN);
  const modifiedAtMs = Date.parse(readElement(xml, 'LastModified') ?? '');
  if (key === null || key === '' || Buffer.byteLength(key) > longestKey || !key.isWellFormed()) return null;
  if (!plainEtag.test(etag) || !Number.isSafeInteger(bytes) || bytes < 0 || Number.isNaN(modifiedAtMs)) return null;
  return { key, etag, bytes, modifiedAtMs };
}

/** Reads an answer to ListObjectsV2, in time proportional to its length; null for anything else. */
export function readObjectList(xml: string): ObjectPage | null {
  if (!/<ListBucketResult[\s>]/.test(xml.slice(0, 1000)) || !xml.trimEnd().endsWith('</ListBucketResult>')) return null;
  const [before = '', ...parts] = xml.split('<Contents>');
  const entries = parts.map((part) => part.split('</Contents>'));
  if (entries.some(({ length }) => length !== 2)) return null;
  const around = [before, ...entries.map(([, after = '']) => after)].join('');
  const isEncoded = readElement(around, 'EncodingType') === 'url';
  const objects = entries.map(([entry = '']) => readObject(entry, isEncoded));
  const isCut = readElement(around, 'IsTruncated') === 'true';
  const next = isCut ? readElement(around, 'NextContinuationToken') : null;
  const read = objects.filter((object) => object !== null);
  return read.length < objects.length || (isCut && (next ?? '') === '') ? null : { objects: read, next };
}

/** The code of an error of the storage, such as `NoSuchBucket`; null if it names none. */
export function readErrorCode(xml: string): string | null {
  const code = readElement(xml, 'Code');
  return code !== null && /^[A-Za-z]{1,64}$/.test(code) ? code : null;
}
