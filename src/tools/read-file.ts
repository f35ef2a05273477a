import { z } from 'zod';
import { normaliseWorkspacePath } from '../sandbox/workspace-path.ts';
import { outputLimitBytes } from './output-cap.ts';
import { readText } from './text-file.ts';
import { defineTool, type ToolOutcome } from './tool.ts';

/** Room for the sentence before the lines and the one after them. */
const linesBytes = outputLimitBytes - 1536;
const maxLineLength = 2000;

const input = z.strictObject({
  path: z.string().describe('The file, relative to the workspace, for example "src/index.ts".'),
  start_line: z.int().min(1).max(100_000_000).default(1).describe('The first line to show, counted from 1.'),
  end_line: z.int().min(1).max(100_000_000).optional().describe('The last line to show. Leave it out to read as far as fits.'),
});

interface Excerpt {
  /** Numbered lines. */
  lines: string[];
  /** How many lines the text has. */
  total: number;
  isFull: boolean;
}

function numberLine(number: number, line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (text.length <= maxLineLength) return `${number}\t${text}`;
  return `${number}\t${text.slice(0, maxLineLength)}… [cut: this line has ${text.length} characters]`;
}

/** Walks over the lines without holding them all: a file can consist of ten million. */
function excerptLines(text: string, first: number, last: number): Excerpt {
  const lines: string[] = [];
  let bytes = 0;
  let isFull = false;
  let number = 0;
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next < 0 ? text.length : next;
    number++;
    if (number >= first && number <= last && !isFull) {
      const line = numberLine(number, text.slice(from, end));
      bytes += Buffer.byteLength(line) + 1;
      isFull = bytes > linesBytes;
      if (!isFull) lines.push(line);
    }
    from = end + 1;
  }
  return { lines, total: number, isFull };
}

function present(path: string, first: number, { lines, total, isFull }: Excerpt): ToolOutcome {
  if (total === 0) return { status: 'success', output: `${path} is empty.` };
  if (lines.length === 0) return { status: 'error', output: `${path} has ${total} lines; there is no line ${first}.` };
  const last = first + lines.length - 1;
  const more = isFull ? [`[Cut here because of its length. Go on with start_line ${last + 1}.]`] : [];
  return { status: 'success', output: [`${path}, lines ${first} to ${last} of ${total}:`, ...lines, ...more].join('\n') };
}

export const readFile = defineTool({
  name: 'read_file',
  description: `Reads a text file of the workspace and shows it with line numbers (number, tab, line; the number and the tab are not part of the file).
Read a file before you edit it. A result is limited to about 15,000 characters: for a long file give start_line and end_line, or find the place with search_files first.
Only UTF-8 text can be read, up to 10 MB; images, PDF, office documents and archives cannot.`,
  input,
  effect: 'retry',
  account: ({ path }) => ({ brief: `Reading ${path}`, action: 'Reading file', param: path }),
  async run({ path, start_line, end_line = Number.POSITIVE_INFINITY }, { workspace }) {
    if (end_line < start_line) return { status: 'error', output: 'end_line: must not be smaller than start_line.' };
    const text = await readText(workspace, path);
    const body = text.startsWith('\ufeff') ? text.slice(1) : text;
    return present(normaliseWorkspacePath(path), start_line, excerptLines(body, start_line, end_line));
  },
});
