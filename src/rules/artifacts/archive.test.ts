import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameArchive, nameArchiveFiles } from './archive-names.ts';
import { measureZip, writeZipDescriptor, writeZipEnd, type ZipEntry, writeZipHeader } from './zip-layout.ts';

function pack(files: readonly { name: string; content: Uint8Array }[], modifiedAtMs: number): Buffer {
  const entries: ZipEntry[] = [];
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const { name, content } of files) {
    const file = { name, bytes: content.length, modifiedAtMs };
    const crc = crc32(content);
    const written = [writeZipHeader(file), content, writeZipDescriptor(crc, content.length)];
    entries.push({ ...file, crc, start });
    pieces.push(...written);
    start += written.reduce((sum, { length }) => sum + length, 0);
  }
  return Buffer.concat([...pieces, writeZipEnd(entries, start)]);
}

it('an archive has the announced length and contains every file under its name', () => {
  const files = fc.array(fc.record({ name: fc.string(), content: fc.uint8Array({ maxLength: 300 }) }), { maxLength: 20 });
  fc.assert(
    fc.property(files, fc.date({ noInvalidDate: true }), (given, date) => {
      const names = nameArchiveFiles(given.map(({ name }) => name));
      // The library that unpacks here keeps files in a plain object, which cannot have this name.
      fc.pre(!names.includes('__proto__'));
      const named = given.map(({ content }, at) => ({ name: names[at] ?? '', content }));
      const archive = pack(named, date.getTime());
      expect(archive.length).toBe(measureZip(named.map(({ name, content }) => ({ name, bytes: content.length }))));
      const unpacked = unzipSync(archive);
      expect(Object.keys(unpacked)).toHaveLength(given.length);
      for (const { name, content } of named) expect(Buffer.from(unpacked[name] ?? [0]).equals(content)).toBe(true);
    }),
  );
});

it('files of an archive have unique names and cannot leave the folder they are unpacked into', () => {
  const letters = fc.constantFrom('a', 'A', '.', '..', '/', '\\', ' ', '\0', '\n', 'con', ':', '‮', 'é', 'é', '.md', ' (2)');
  const name = fc.array(letters, { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (names) => {
      const chosen = nameArchiveFiles(names);
      expect(new Set(chosen.map((one) => one.toLowerCase())).size).toBe(names.length);
      for (const one of chosen) {
        expect(one).toMatch(/^[^\p{Cc}\p{Bidi_Control}"*/:<>?\\|]+$/u);
        expect(one).not.toMatch(/^[. ]|[. ]$|^con(\.|$)/i);
      }
    }),
  );
});

it('files with the same name are numbered', () => {
  expect(nameArchiveFiles(['a.md', 'A.md', 'a.md', '../../etc/passwd', 'nul.txt', ''])).toEqual([
    'a.md',
    'A (2).md',
    'a (3).md',
    '_.._etc_passwd',
    '_nul.txt',
    'file',
  ]);
  expect([nameArchive('Plan: 2026/27'), nameArchive('…'), nameArchive(' . ')]).toEqual([
    'Plan_ 2026_27.zip',
    '….zip',
    'file.zip',
  ]);
});
