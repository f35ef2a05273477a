import { extensionOf } from '../../rules/artifacts/artifact-type.ts';
import { chooseContentType, readFilename } from '../../rules/files/upload-policy.ts';
import type { MailFile } from '../../api/triggers/receive-mail.ts';

/** The number of attachments that a message of a task may have. */
const maxFiles = 100;
const longestNameBytes = 255;

/** An attachment as it came. */
export interface SentFile {
  filename?: string;
  contentType: string;
  content: Uint8Array;
}

/** Cut between characters, before the ending. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longestNameBytes) return name;
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  const most = longestNameBytes - Buffer.byteLength(ending);
  return (
    Buffer.from(name)
      .subarray(0, most)
      .toString()
      .replace(/\ufffd+$/, '') + ending
  );
}

/** A name of one file without folders and characters that deceive; other names become `attachment-1`, by its number. */
function cleanFilename(given: string | undefined, number: number): string {
  const last = (given ?? '').toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  return /^\.{0,2}$/.test(plain) ? `attachment-${number}` : shorten(plain);
}

/** The files of a mail that a task may have, and what was left out. */
export function takeFiles(sent: readonly SentFile[]): { files: MailFile[]; notes: string[] } {
  const [files, notes]: [MailFile[], string[]] = [[], []];
  for (const [index, { filename: given, contentType, content }] of sent.slice(0, maxFiles).entries()) {
    const filename = cleanFilename(given, index + 1);
    try {
      // Exactly the bytes: small buffers share memory.
      const file = { filename: readFilename('attachment', filename), bytes: new Uint8Array(content) };
      files.push({ ...file, contentType: chooseContentType(filename, contentType) });
    } catch {
      notes.push(`${filename} was left out: files of type .${extensionOf(filename)} are programs or scripts.`);
    }
  }
  if (sent.length > maxFiles) notes.push(`${sent.length - maxFiles} files were left out: a message has at most ${maxFiles}.`);
  return { files, notes };
}
