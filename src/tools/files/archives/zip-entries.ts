import type { Readable } from 'node:stream';
import { type Entry, fromBuffer, fromFd, type ZipFile } from 'yauzl';
import { Fault } from '@errand/base/fault.ts';
import type { ArchiveEntry, EntryKind } from './archive-entry.ts';

const unixLink = 0o120000;
const unixFormat = 0o170000;
const unixFile = 0o100000;
const unixFolder = 0o040000;
const hostUnix = 3;

function damaged(cause?: unknown): Fault {
  return new Fault('invalid_argument', 'The archive is damaged or not of this type.', { cause });
}

function openZip(source: Buffer | number): Promise<ZipFile> {
  // Names are checked by our own path rule, not the library's: one bad name must not reject the good ones.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true } as const;
  return new Promise((resolve, reject) => {
    const opened = (error: Error | null, zip: ZipFile | undefined) => (zip ? resolve(zip) : reject(damaged(error)));
    if (typeof source === 'number') fromFd(source, options, opened);
    else fromBuffer(source, options, opened);
  });
}

function kindOf({ versionMadeBy, externalFileAttributes }: Entry, name: string): EntryKind {
  if (name.endsWith('/')) return 'folder';
  if (versionMadeBy >>> 8 !== hostUnix) return 'file';
  const format = (externalFileAttributes >>> 16) & unixFormat;
  if (format === unixLink) return 'link';
  return format === 0 || format === unixFile ? 'file' : format === unixFolder ? 'folder' : 'special';
}

/** Names are UTF-8 if the entry says so, and mostly otherwise too; older programs used code page 437. */
function decodeName(raw: Buffer): string {
  const text = raw.toString('utf8');
  return text.includes('\ufffd') ? raw.toString('latin1') : text;
}

async function* openEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (opened ? resolve(opened) : reject(damaged(error))));
  });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw damaged(error);
  } finally {
    stream.destroy();
  }
}

/** Entries that share bytes of the file: used by archive bombs. */
function checkOverlap(entries: readonly { from: number; to: number }[]): void {
  const sorted = entries.toSorted((a, b) => a.from - b.from);
  for (const [index, { from }] of sorted.entries()) {
    if (index > 0 && from < (sorted[index - 1]?.to ?? 0)) {
      throw new Fault(
        'invalid_argument',
        'The archive was rejected: its entries overlap, which only happens in malicious archives.',
      );
    }
  }
}

const smallestHeaderBytes = 30;

/** The central directory of a zip, checked as far as possible without unpacking. `entryLimit` bounds it. */
export async function* listZip(source: Buffer | number, entryLimit: number): AsyncGenerator<ArchiveEntry> {
  const zip = await openZip(source);
  const found: Entry[] = [];
  try {
    if (zip.entryCount > entryLimit) {
      throw new Fault('payload_too_large', `The archive has more than ${entryLimit} entries.`);
    }
    await new Promise<void>((resolve, reject) => {
      zip.on('error', (error) => reject(damaged(error)));
      zip.on('end', resolve);
      zip.on('entry', (entry: Entry) => {
        found.push(entry);
        if (found.length > entryLimit) reject(new Fault('payload_too_large', `The archive has more than ${entryLimit} entries.`));
        else zip.readEntry();
      });
      zip.readEntry();
    });
    checkOverlap(
      found.map(({ relativeOffsetOfLocalHeader: from, compressedSize, fileNameRaw }) => ({
        from,
        to: from + smallestHeaderBytes + fileNameRaw.length + compressedSize,
      })),
    );
    for (const entry of found) {
      const name = decodeName(entry.fileNameRaw);
      yield {
        name,
        kind: entry.isEncrypted() ? 'locked' : kindOf(entry, name),
        declaredBytes: entry.uncompressedSize,
        open: () => openEntry(zip, entry),
      };
    }
  } finally {
    // The descriptor belongs to the caller.
    if (typeof source !== 'number') zip.close();
  }
}
