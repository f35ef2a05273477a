import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { ArchiveReader } from './archives/archive-reader.ts';
import { describeArchive, archiveFormatOf } from './archives/archive-text.ts';
import { excerptLines, type Excerpt } from './text/line-excerpt.ts';
import type { DocumentReader } from './readers/document-reader.ts';
import { type FileKind, findKind } from './text/file-kind.ts';
import type { CachedTranscriber } from './readers/cached-transcriber.ts';
import type { Reading } from './readers/document-reading.ts';
import { noteUnseen, showPicture } from '../toolbox/show-picture.ts';
import { readAnyText } from './text/text-file.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';

/** The largest document; it is read in the thread, not here. */
const maxDocumentBytes = 64 * 1024 * 1024;

const input = z.strictObject({
  path: z.string(),
  start_line: z.int().min(1).max(100_000_000).default(1),
  end_line: z.int().min(1).max(100_000_000).optional(),
});

function present(path: string, what: string, first: number, { lines, total, isFull }: Excerpt): ToolOutcome {
  const shown = what === '' ? path : `${path} (${what})`;
  if (total === 0) return { status: 'success', output: what === '' ? `${path} is empty.` : `${path}: ${what}.` };
  if (lines.length === 0) return { status: 'error', output: `${shown} has ${total} lines; there is no line ${first}.` };
  const last = first + lines.length - 1;
  const more = isFull ? [`[Cut here because of its length. Go on with start_line ${last + 1}.]`] : [];
  return { status: 'success', output: [`${shown}, lines ${first} to ${last} of ${total}:`, ...lines, ...more].join('\n') };
}

type Kept = Pick<ToolContext, 'accountId' | 'workspace' | 'signal' | 'transcriber'>;

/** A recording: the facts in its header, and a transcript if a speech model is available. */
async function readRecording(
  path: string,
  reading: Reading,
  { listener }: Readers,
  { accountId, workspace, signal, transcriber }: Kept,
): Promise<Reading> {
  if (!transcriber) return { ...reading, what: `${reading.what}; not transcribed: no speech model is configured` };
  const content = await workspace.read(path, transcriber.maxBytes).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'payload_too_large') return null;
    throw error;
  });
  if (content === null) return { ...reading, what: `${reading.what}; not transcribed: it is too large for that` };
  const { text, problem } = await listener(content, { accountId, transcriber, signal });
  if (text === null) return { ...reading, what: `${reading.what}; not transcribed: ${problem}` };
  return { what: `${reading.what}; a transcript of what is said in it`, text: text || '[nothing]' };
}

/** A file as text: its own, its extracted text, or a description. */
async function readAnything(path: string, readers: Readers, context: Kept): Promise<Reading & { kind: FileKind }> {
  const { accountId: owner, workspace, signal } = context;
  const { documents, archives } = readers;
  const start = await workspace.readStart(path, 512);
  const kind = findKind(start);
  if (kind === 'unknown') {
    const { text, encoding } = await readAnyText(workspace, path);
    return { kind, what: encoding === null ? '' : `text in ${encoding}, not UTF-8`, text };
  }
  await using file = await workspace.hold(path);
  const format = archiveFormatOf(start);
  const list = async () => {
    const answer = await archives.list(workspace, path, format ?? 'zip', { owner, signal });
    return { kind, what: `archive, ${answer.entries.length} entries`, text: describeArchive(answer) };
  };
  if (format !== null && format !== 'zip') return await list();
  const isRecording = kind === 'audio' || kind === 'video';
  if (file.bytes > maxDocumentBytes) {
    if (format === 'zip') return await list();
    if (isRecording) return { kind, what: `${kind} recording, ${file.bytes} bytes`, text: '' };
    throw new Fault('payload_too_large', `"${path}" has ${file.bytes} bytes, more than can be read. Split it with run_shell.`);
  }
  try {
    const reading = await documents({ source: { descriptor: file.descriptor, bytes: file.bytes }, kind }, { owner, signal });
    return { kind, ...(isRecording ? await readRecording(path, reading, readers, context) : reading) };
  } catch (error) {
    if (format === 'zip' && error instanceof Fault && error.code === 'failed_precondition') return await list();
    throw error;
  }
}

/** Images, and drawings whose text says little about their appearance. */
function isPicture(kind: FileKind, path: string): boolean {
  return kind === 'image' || (kind === 'unknown' && /\.svg$/i.test(path));
}

export interface Readers {
  documents: DocumentReader;
  archives: ArchiveReader;
  listener: CachedTranscriber;
}

export function createReadFile(readers: Readers): Tool {
  return defineTool({
    name: 'read_file',
    description: 'Shows a file: text with line numbers, PDF, office, recordings, archives, pictures.',
    input,
    effect: 'retry',
    onlyReads: true,
    reads: 'files',
    summarize: ({ path }) => ({ brief: `Reading ${path}`, action: 'Reading file', param: path }),
    async run({ path, start_line, end_line = Number.POSITIVE_INFINITY }, context) {
      if (end_line < start_line) return { status: 'error', output: 'end_line: must not be smaller than start_line.' };
      const { kind, what, text } = await readAnything(path, readers, context);
      const body = text.startsWith('\ufeff') ? text.slice(1) : text;
      const outcome = present(normaliseWorkspacePath(path), what, start_line, excerptLines(body, start_line, end_line));
      if (!isPicture(kind, path)) return outcome;
      const pictures = await showPicture(path, context);
      const output = [outcome.output, ...noteUnseen(context)].join('\n');
      return { ...outcome, output, ...(pictures.length > 0 && { pictures }) };
    },
  });
}
