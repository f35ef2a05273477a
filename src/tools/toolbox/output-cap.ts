import { createHash } from 'node:crypto';
import { fileLimitBytes, type Workspace } from '@errand/sandbox/workspace';
import { toolOutputFolder } from './closed-folders.ts';

/** What of a tool's result goes into the log, and so into every later prompt. */
export const outputLimitBytes = 16 * 1024;

const headBytes = 10 * 1024;
const noteBytes = 512;
const tailBytes = outputLimitBytes - headBytes - noteBytes;

/** The longest beginning of a well-formed text that takes at most `maxBytes` in UTF-8. */
export function takeHead(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes));
  if (bytes.length <= maxBytes) return bytes.toString();
  let end = maxBytes;
  while (isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

/** The same from the end. */
export function takeTail(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(-maxBytes));
  if (bytes.length <= maxBytes) return bytes.toString();
  let start = bytes.length - maxBytes;
  while (isContinuation(bytes[start])) start++;
  return bytes.toString('utf8', start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function readableId(callId: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(callId) ? callId : 'call';
}

/** Call ids are a provider's and hostile, and some providers give the same one in every step: the text decides too. */
function outputPath(callId: string, output: string): string {
  const digest = createHash('sha256').update(callId).update('\0').update(output).digest('hex');
  return `${toolOutputFolder}/${readableId(callId)}-${digest.slice(0, 12)}.txt`;
}

async function saveWhole(output: string, callId: string, workspace: Workspace): Promise<string> {
  const path = outputPath(callId, output);
  const kept = takeHead(output, fileLimitBytes);
  try {
    await workspace.write(path, kept);
  } catch {
    // The result is worth having even where its file cannot be written (a full disk).
    return 'The rest could not be saved.';
  }
  const what = kept.length === output.length ? 'All of it is' : `Its first ${fileLimitBytes} bytes are`;
  return `${what} in ${path}: use read_file with start_line, or search_files with that path.`;
}

/** The file of a result that was too long, as its note in the middle names it. */
function findKept(output: string, callId: string): string | null {
  const [, path] = /^\[This output has \d+ bytes and its middle is left out here\. All of it is in (\S+): /m.exec(output) ?? [];
  // Whoever wrote the output may have written such a note: only a file of this very call is believed.
  return path?.startsWith(`${toolOutputFolder}/${readableId(callId)}-`) && !path.includes('..') ? path : null;
}

/** A file of the workspace with the full text of a result; null where it cannot be written. */
export async function saveOutput(output: string, callId: string, workspace: Workspace): Promise<string | null> {
  const kept = findKept(output, callId);
  if (kept !== null) return kept;
  const path = outputPath(callId, output);
  try {
    await workspace.write(path, output);
    return path;
  } catch {
    return null;
  }
}

/**
 * A result that fits the log. A longer one keeps its head and its tail; the whole is written to a file of the workspace,
 * named in between. The same call with the same output always gives the same text.
 */
export async function capOutput(output: string, callId: string, workspace: Workspace): Promise<string> {
  // A lone surrogate or a NUL would be refused by databases and providers further on.
  const clean = output.toWellFormed().replaceAll('\0', '\ufffd');
  const bytes = Buffer.byteLength(clean);
  if (bytes <= outputLimitBytes) return clean;
  const where = await saveWhole(clean, callId, workspace);
  const note = `\n\n[This output has ${bytes} bytes and its middle is left out here. ${where}]\n\n`;
  return takeHead(clean, headBytes) + note + takeTail(clean, tailBytes);
}
