import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl';
import type { ArchiveManifest } from '../../../src/store/account-archive/archive-manifest.ts';
import { ZipStream } from '../../../src/store/account-archive/zip-stream.ts';

/** The entries of an archive by their names, in order. */
export type Entries = Map<string, Buffer>;

/** Unpacks an archive with a zip reader that is not ours. */
export async function readEntries(file: string): Promise<Entries> {
  const zip = await promisify<Buffer, Options, ZipFile>(fromBuffer)(readFileSync(file), { lazyEntries: true, autoClose: false });
  const found: Entry[] = [];
  zip.on('entry', (entry: Entry) => {
    found.push(entry);
    zip.readEntry();
  });
  zip.readEntry();
  await once(zip, 'end');
  const entries: Entries = new Map();
  const open = promisify<Entry, Readable>(zip.openReadStream.bind(zip));
  for (const entry of found) entries.set(entry.fileName, await buffer(await open(entry)));
  return entries;
}

export function manifestOf(entries: Entries): ArchiveManifest {
  return JSON.parse(String(entries.get('manifest.json'))) as ArchiveManifest;
}

/** Rows of a table. */
export function rowsOf(entries: Entries, table: string): Record<string, unknown>[] {
  const lines = String(entries.get(`tables/${table}.jsonl`))
    .split('\n')
    .slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Replaces the rows of a table. */
export function setRows(entries: Entries, table: string, rows: readonly unknown[]): void {
  entries.set(`tables/${table}.jsonl`, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
}

/** A manifest that says of the entries what they are. */
export function signEntries(entries: Entries, changes: Record<string, unknown> = {}): void {
  const manifest = manifestOf(entries);
  const files = [...entries]
    .filter(([name]) => name !== 'manifest.json')
    .map(([name, bytes]) => ({ name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }));
  const tables = manifest.tables.map(({ table }) => ({ table, rows: rowsOf(entries, table).length }));
  entries.delete('manifest.json');
  entries.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, files, tables, ...changes })));
}

/** Writes an archive with these entries, which may have one name twice. */
export async function writeEntries(file: string, entries: Iterable<readonly [string, Buffer]>): Promise<void> {
  const zip = new ZipStream();
  const pieces: Uint8Array[] = [];
  for (const [name, bytes] of entries) {
    for await (const piece of zip.add(
      name,
      (async function* () {
        yield bytes;
      })(),
    ))
      pieces.push(piece);
  }
  writeFileSync(file, Buffer.concat([...pieces, ...zip.end()]));
}

/** A zip file with one entry that unpacks to many zeros. */
export function writeBomb(file: string, name: string, bytes: number): void {
  const plain = Buffer.alloc(bytes);
  const packed = deflateRawSync(plain);
  const title = Buffer.from(name);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(plain), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(bytes, 18);
  fields.writeUInt16LE(title.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, title, packed]);
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, Buffer.alloc(14), title]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  writeFileSync(file, Buffer.concat([local, directory, end]));
}
