import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEntry, placeAttachments } from './attachment-place.ts';
import type { Attachment } from '../events/task-event.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

function file(filename: string, more: Partial<Attachment> = {}): Attachment {
  return { kind: 'file', filename, contentType: 'text/plain', bytes: 12, blobId: filename, ...more };
}

function pathsOf(names: readonly string[]): string[] {
  return placeAttachments(
    [],
    names.map((name) => file(name)),
  ).map(({ path }) => path);
}

describe('the path of an attachment', () => {
  it('is its name in the folder attachments, made unique even on case-insensitive systems', () => {
    expect(pathsOf(['a.pdf', 'A.PDF', 'a.pdf', 'notes', 'notes', 'a-2.pdf'])).toEqual([
      'attachments/a.pdf',
      'attachments/A-2.PDF',
      'attachments/a-3.pdf',
      'attachments/notes',
      'attachments/notes-2',
      'attachments/a-2-2.pdf',
    ]);
  });

  it('does not change when more files arrive', () => {
    const first = placeAttachments([], [file('a.txt')]);
    expect(placeAttachments(first, [file('a.txt'), file('b.txt')]).map(({ path }) => path)).toEqual([
      'attachments/a-2.txt',
      'attachments/b.txt',
    ]);
  });

  it.each([
    ['../../etc/passwd', 'attachments/_.._etc_passwd'],
    ['..', 'attachments/file'],
    ['-rf', 'attachments/rf'],
    ['a\u0000b\n.txt', 'attachments/a_b_.txt'],
    ['invoice\u202Efdp.txt', 'attachments/invoice_fdp.txt'],
    ['C:\\x.txt', 'attachments/C__x.txt'],
    ['', 'attachments/file'],
  ])('of %j is %s', (name, path) => {
    expect(pathsOf([name])).toEqual([path]);
  });

  it('is unique for every file, and always short and plain', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 400 }), { maxLength: 12 }), (names) => {
        const paths = pathsOf(names);
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length);
        for (const path of paths) {
          expect(path.startsWith('attachments/')).toBe(true);
          const name = path.slice('attachments/'.length);
          expect(name).not.toMatch(/[/\\\p{Cc}\p{Cs}]|^\.|^-|^$/u);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        }
      }),
    );
  });
});

it('a model sees the files of a message by path, type, and size', () => {
  const attachments = placeAttachments(
    [],
    [
      file('a.csv', { contentType: 'text/csv', bytes: 1500 }),
      file('memo.m4a', { kind: 'voice', contentType: 'audio/mp4', bytes: 2_500_000 }),
    ],
  );
  expect(describeEntry({ text: 'Look.', attachments })).toBe(
    [
      'Look.\n',
      'Files that came with this message, in the workspace:',
      '- attachments/a.csv (text/csv, 1.5 KB)',
      '- attachments/memo.m4a (audio/mp4, 2.5 MB; a voice message, not transcribed)',
    ].join('\n'),
  );
  expect(describeEntry({ text: '' })).toBe('');
  expect(describeEntry({ text: ' ', attachments })).toMatch(/^Files that came/);
});
