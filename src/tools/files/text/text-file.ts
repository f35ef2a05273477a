import { isUtf8 } from 'node:buffer';
import { Fault } from '@errand/base/fault.ts';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';

export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Control characters allowed in text; any other indicates binary data. */
const textControls = /[\t\n\v\f\r\u007f-\u009f]/g;

/** The encoding of text that is not UTF-8, by its byte order mark. */
function findEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'windows-1252' {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'windows-1252';
}

/** Decodes legacy encodings: UTF-16 with a byte order mark, or Windows-1252. Null if it is not text. */
export function decodeOtherText(bytes: Uint8Array): string | null {
  const encoding = findEncoding(bytes);
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(bytes);
  const text = new TextDecoder('windows-1252').decode(bytes);
  return /\p{Cc}/u.test(text.replace(textControls, '')) || !/[ \n,;]/.test(text) ? null : text;
}

function refuse(path: string, bytes: Buffer): Fault {
  const start = bytes.toString('hex', 0, 8).replace(/..(?=.)/g, '$& ');
  const shown = normaliseWorkspacePath(path);
  const text = `"${shown}" is not a UTF-8 text file (${bytes.length} bytes, beginning with ${start}). Use a tool made for its format.`;
  return new Fault('invalid_argument', text);
}

/**
 * A text file of the workspace; its byte order mark and line endings are preserved. Throws a Fault that tells a model what the file is
 * instead, with the first bytes to identify the format.
 */
export async function readText(workspace: Workspace, path: string, limitBytes?: number): Promise<string> {
  const bytes = await workspace.read(path, limitBytes);
  if (isText(bytes)) return bytes.toString('utf8');
  throw refuse(path, bytes);
}

/**
 * Reads a text file in any encoding, including legacy ones, which cannot be written back unchanged. `encoding`: null for UTF-8, otherwise the
 * name that programs know it by.
 */
export async function readAnyText(workspace: Workspace, path: string): Promise<{ text: string; encoding: string | null }> {
  const bytes = await workspace.read(path);
  if (isText(bytes)) return { text: bytes.toString('utf8'), encoding: null };
  const text = decodeOtherText(bytes);
  if (text === null) throw refuse(path, bytes);
  return { text, encoding: findEncoding(bytes) };
}
