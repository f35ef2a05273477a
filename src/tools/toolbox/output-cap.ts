import { createHash } from 'node:crypto';
import { fileLimitBytes, type Workspace } from '@errand/sandbox/workspace';
import { toolOutputFolder } from './closed-folders.ts';

/** Limit of a tool result in the log, and so in every later prompt. */
export const outputLimitBytes = 16 * 1024;

const headBytes = 10 * 1024;
const noteBytes = 512;
const tailBytes = outputLimitBytes - headBytes - noteBytes;

/** The longest prefix of a well-formed text with at most `maxBytes` in UTF-8. */
export function takeHead(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes));
  if (bytes.length <= maxBytes) return bytes.toString();
  let end = maxBytes;
  while (isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

/** The longest suffix of a well-formed text with at most `maxBytes` in UTF-8. */
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

const longestLabel = 48;

/** The beginning of the name of a stored result, so that it tells which call it came from: `fetch_url-example-com-prices-`. */
export function labelOutput(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [];
  const first = values.find((value) => typeof value === 'string') ?? '';
  const words = `${tool} ${first.slice(0, 200)}`.replace('https://', '').match(/[A-Za-z0-9_]+/g) ?? [];
  return `${words.join('-').slice(0, longestLabel)}-`;
}

/** Call ids come from the provider and are untrusted, and some providers repeat them in every step: so the text is hashed too. */
function outputPath(callId: string, output: string, label: string): string {
  const digest = createHash('sha256').update(callId).update('\0').update(output).digest('hex');
  return `${toolOutputFolder}/${label}${readableId(callId)}-${digest.slice(0, 12)}.txt`;
}

async function saveWhole(output: string, callId: string, workspace: Workspace, label: string): Promise<string> {
  const path = outputPath(callId, output, label);
  const kept = takeHead(output, fileLimitBytes);
  try {
    await workspace.write(path, kept);
  } catch {
    // The result is useful even if its file cannot be written (a full disk).
    return 'The rest could not be saved.';
  }
  const what = kept.length === output.length ? 'All of it is' : `Its first ${fileLimitBytes} bytes are`;
  return `${what} in ${path}: use read_file with start_line, or search_files with that path.`;
}

/** The file of a capped result, as named in its truncation note. */
function findKept(output: string, callId: string, label: string): string | null {
  const [, path] = /^\[This output has \d+ bytes and its middle is left out here\. All of it is in (\S+): /m.exec(output) ?? [];
  // The output itself may contain such a note: only a file of this very call is trusted.
  const starts = [label, ''].map((each) => `${toolOutputFolder}/${each}${readableId(callId)}-`);
  return path !== undefined && starts.some((start) => path.startsWith(start)) && !path.includes('..') ? path : null;
}

/** A workspace file with the full text of a result; null if it cannot be written. */
export async function saveOutput(output: string, callId: string, workspace: Workspace, label = ''): Promise<string | null> {
  const kept = findKept(output, callId, label);
  if (kept !== null) return kept;
  const path = outputPath(callId, output, label);
  try {
    await workspace.write(path, output);
    return path;
  } catch {
    return null;
  }
}

/**
 * Fits a result into the log. A longer one keeps its head and tail; the full text is written to a workspace file, named in between.
 * Deterministic for the same call and output.
 */
export async function capOutput(output: string, callId: string, workspace: Workspace, label = ''): Promise<string> {
  // Databases and providers reject lone surrogates and NUL.
  const clean = output.toWellFormed().replaceAll('\0', '\ufffd');
  const bytes = Buffer.byteLength(clean);
  if (bytes <= outputLimitBytes) return clean;
  const where = await saveWhole(clean, callId, workspace, label);
  const note = `\n\n[This output has ${bytes} bytes and its middle is left out here. ${where}]\n\n`;
  return takeHead(clean, headBytes) + note + takeTail(clean, tailBytes);
}
