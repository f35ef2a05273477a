import { isUtf8 } from 'node:buffer';
import { Fault } from '@errand/base/fault.ts';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';

export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Control characters allowed in text; any other indicates binary data. */
const textControls = /[\t\n\v\f\r\u007f-\u009f]/g;

/** Decodes legacy encodings: UTF-16 with a byte order mark, or Windows-1252. Null if it is not text. */
export function decodeOtherText(bytes: Uint8Array): string | null {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (mark === 0xfffe || mark === 0xfeff) return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes);
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

/** Reads a text file in any encoding, including legacy ones, which cannot be written back unchanged. */
export async function readAnyText(workspace: Workspace, path: string): Promise<{ text: string; isUtf8: boolean }> {
  const bytes = await workspace.read(path);
  if (isText(bytes)) return { text: bytes.toString('utf8'), isUtf8: true };
  const text = decodeOtherText(bytes);
  if (text === null) throw refuse(path, bytes);
  return { text, isUtf8: false };
}
