import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { Fault } from '@errand/base/fault.ts';
import { type SkillFile, skillLimits, type SkillPackage } from '../rules/skills/skill.ts';
import { splitWorkspacePath } from '@errand/sandbox/workspace-path';
import { readSkillText } from './skill-text.ts';

const entryFile = 'SKILL.md';
const [unixFormat, unixFile, unixFolder] = [0o170000, 0o100000, 0o040000];

function refuse(problem: string): never {
  throw new Fault('invalid_argument', `The skill package was rejected: ${problem}`);
}

function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: true, validateEntrySizes: true } as const;
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Promise((resolve, reject) => {
    fromBuffer(packed, options, (error, zip) => {
      if (error)
        reject(new Fault('invalid_argument', 'The skill package was rejected: it is not a zip archive.', { cause: error }));
      else resolve(zip);
    });
  });
}

/** One entry after another; null at the end. Errors in the archive's directory reject. */
function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      zip.removeAllListeners();
      outcome();
    };
    zip.once('entry', (entry: Entry) => settle(() => resolve(entry)));
    zip.once('end', () => settle(() => resolve(null)));
    zip.once('error', (error: Error) => settle(() => reject(error)));
    zip.readEntry();
  });
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}

/** The path segments of an entry; null for folders and for files added by file managers. */
function readPath(entry: Entry): string[] | null {
  const name = entry.fileName;
  if (name.endsWith('/') || name.startsWith('__MACOSX/') || /(^|\/)\.DS_Store$/.test(name)) return null;
  const format = (entry.externalFileAttributes >>> 16) & unixFormat;
  if (format === unixFolder) return null;
  if (format !== 0 && format !== unixFile) refuse(`${JSON.stringify(name)} is a link or no file`);
  if ((entry.generalPurposeBitFlag & 1) === 1) refuse('it is encrypted');
  if (name.startsWith('/') || name.includes('\\') || name.split('/').includes('..')) {
    refuse(`${JSON.stringify(name.slice(0, 80))} leads out of the folder`);
  }
  return splitWorkspacePath(name);
}

/** All files in the archive, limited by their actual unpacked size. */
async function unpack(zip: ZipFile): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const seen = new Set<string>();
  let total = 0;
  for (let entry = await nextEntry(zip); entry; entry = await nextEntry(zip)) {
    const names = readPath(entry);
    if (!names) continue;
    const path = names.join('/');
    const key = path.normalize('NFC').toLowerCase();
    if (seen.has(key)) refuse(`two entries have the name ${JSON.stringify(path)}, but for case or accents`);
    seen.add(key);
    if (files.size >= skillLimits.files) refuse(`it has more than ${skillLimits.files} files`);
    if (entry.uncompressedSize > skillLimits.fileBytes)
      refuse(`${JSON.stringify(path)} is larger than ${skillLimits.fileBytes} bytes`);
    const content = await buffer(await openEntry(zip, entry));
    total += content.length;
    if (total > skillLimits.unpackedBytes) refuse(`it unpacks to more than ${skillLimits.unpackedBytes} bytes`);
    files.set(path, content);
  }
  return files;
}

/** Archives contain the folder itself or its content: returns paths relative to the folder. */
function enterFolder(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  if (files.has(entryFile)) return files;
  const [top = ''] = [...files.keys()][0]?.split('/') ?? [];
  const inside = [...files].flatMap(([path, content]): [string, Uint8Array][] =>
    path.startsWith(`${top}/`) ? [[path.slice(top.length + 1), content]] : [],
  );
  if (inside.length !== files.size || !files.has(`${top}/${entryFile}`)) refuse(`it has no ${entryFile} at its top`);
  return new Map(inside);
}

function decodeText(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return refuse(`${entryFile} is no UTF-8 text`);
  }
}

/** Reads a skill folder from its zip. Throws a Fault that names the problem. Run it only in a separate thread: the bytes are hostile. */
export async function readSkillZip(bytes: Uint8Array): Promise<SkillPackage> {
  const zip = await openZip(bytes);
  try {
    const files = enterFolder(await unpack(zip));
    const text = files.get(entryFile);
    if (!text) refuse(`it has no ${entryFile} at its top`);
    files.delete(entryFile);
    const list = [...files].map(([path, content]): SkillFile => ({ path, content }));
    return { ...readSkillText(decodeText(text)), files: list.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('invalid_argument', 'The skill package was rejected: the archive is damaged.', { cause: error });
  } finally {
    zip.close();
  }
}
