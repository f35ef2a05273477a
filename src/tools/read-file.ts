import { z } from 'zod';
import { Fault } from '../base/fault.ts';
import { normaliseWorkspacePath } from '../sandbox/workspace-path.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import type { ArchiveReader } from './archive/archive-reader.ts';
import { describeArchive, formatOf } from './archive/archive-text.ts';
import { excerptLines, type Excerpt } from './line-excerpt.ts';
import type { DocumentReader } from './reading/document-reader.ts';
import { type FileKind, findKind } from './reading/file-kind.ts';
import type { Reading } from './reading/reading.ts';
import { readAnyText } from './text-file.ts';
import { defineTool, type Tool, type ToolOutcome } from './tool.ts';

/** The largest document; it is read in the thread and not here. */
const maxDocumentBytes = 64 * 1024 * 1024;

const input = z.strictObject({
  path: z.string().describe('The file, relative to the workspace, for example "src/index.ts".'),
  start_line: z.int().min(1).max(100_000_000).default(1).describe('The first line to show, counted from 1.'),
  end_line: z.int().min(1).max(100_000_000).optional().describe('The last line to show. Leave it out to read as far as fits.'),
});

function present(path: string, what: string, first: number, { lines, total, isFull }: Excerpt): ToolOutcome {
  const shown = what === '' ? path : `${path} (${what})`;
  if (total === 0) return { status: 'success', output: what === '' ? `${path} is empty.` : `${path}: ${what}.` };
  if (lines.length === 0) return { status: 'error', output: `${shown} has ${total} lines; there is no line ${first}.` };
  const last = first + lines.length - 1;
  const more = isFull ? [`[Cut here because of its length. Go on with start_line ${last + 1}.]`] : [];
  return { status: 'success', output: [`${shown}, lines ${first} to ${last} of ${total}:`, ...lines, ...more].join('\n') };
}

const recordings: Partial<Record<FileKind, string>> = { audio: 'audio recording', video: 'video' };

/** A file as text: its own, what can be taken out of it, or what can be said of it. */
async function readAnything(
  workspace: Workspace,
  path: string,
  { documents, archives }: Readers,
  signal: AbortSignal,
): Promise<Reading> {
  const start = await workspace.readStart(path, 512);
  const kind = findKind(start);
  if (kind === 'unknown') {
    const { text, isUtf8 } = await readAnyText(workspace, path);
    return { what: isUtf8 ? '' : 'text that is not UTF-8', text };
  }
  await using file = await workspace.hold(path);
  const recording = recordings[kind];
  if (recording !== undefined) return { what: `${recording}, ${file.bytes} bytes`, text: '' };
  const format = formatOf(start);
  const list = async (): Promise<Reading> => {
    const answer = await archives.list(workspace, path, format ?? 'zip', signal);
    return { what: `archive, ${answer.entries.length} entries`, text: describeArchive(answer) };
  };
  if (format !== null && format !== 'zip') return await list();
  if (file.bytes > maxDocumentBytes) {
    if (format === 'zip') return await list();
    throw new Fault('payload_too_large', `"${path}" has ${file.bytes} bytes, more than can be read. Split it with run_shell.`);
  }
  try {
    return await documents({ source: { descriptor: file.descriptor, bytes: file.bytes }, kind }, signal);
  } catch (error) {
    if (format === 'zip' && error instanceof Fault && error.code === 'failed_precondition') return await list();
    throw error;
  }
}

export interface Readers {
  documents: DocumentReader;
  archives: ArchiveReader;
}

export function createReadFile(readers: Readers): Tool {
  return defineTool({
    name: 'read_file',
    description: `Reads a file of the workspace and shows it with line numbers (number, tab, line; the number and the tab are not part of the file).
Read a file before you edit it. A result is limited to about 15,000 characters: for a long file give start_line and end_line, or find the place with search_files first.
Of PDF, Word, Excel, PowerPoint and Open Document files the text is shown, of archives what is in them, of images their size.`,
    input,
    effect: 'retry',
    reads: 'files',
    account: ({ path }) => ({ brief: `Reading ${path}`, action: 'Reading file', param: path }),
    async run({ path, start_line, end_line = Number.POSITIVE_INFINITY }, { workspace, signal }) {
      if (end_line < start_line) return { status: 'error', output: 'end_line: must not be smaller than start_line.' };
      const { what, text } = await readAnything(workspace, path, readers, signal);
      const body = text.startsWith('\ufeff') ? text.slice(1) : text;
      return present(normaliseWorkspacePath(path), what, start_line, excerptLines(body, start_line, end_line));
    },
  });
}
