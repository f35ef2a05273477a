import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OptionTable } from './command-shape.ts';
import { CommandFault, UsageFault } from './exit-code.ts';
import type { Shell } from './shell.ts';

/** What a message may carry beside its text. */
export const messageOptions = {
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    multiple: true,
    about: 'A file for the agent to work with; may be given several times.',
  },
  schema: { type: 'string', value: 'FILE', about: 'A JSON schema that the final result is to be given in.' },
} as const satisfies OptionTable;

/** The largest file that fits into a message. */
const fileLimitBytes = 20 * 1024 * 1024;

async function readGiven(option: string, path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > fileLimitBytes) throw new UsageFault(`--${option} ${path}: a file can have at most ${fileLimitBytes >> 20} MB`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UsageFault) throw error;
    throw new CommandFault(`--${option} ${path}: ${(error as Error).message}`, { cause: error });
  }
}

async function readFilePart(path: string) {
  const bytes = await readGiven('file', path);
  return {
    type: 'file',
    filename: basename(path),
    file_data: `data:application/octet-stream;base64,${bytes.toString('base64')}`,
  };
}

async function readSchema(path: string): Promise<unknown> {
  const bytes = await readGiven('schema', path);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new CommandFault(`--schema ${path}: is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** The `message` and `structured_output_schema` of a request. `-` takes the text from standard input. */
export async function readMessage(shell: Pick<Shell, 'stdin'>, prompt: string, given: { file?: string[]; schema?: string }) {
  const content = prompt === '-' ? await text(shell.stdin) : prompt;
  if (content.trim() === '') throw new UsageFault('the text of the message is empty');
  const files = await Promise.all((given.file ?? []).map(readFilePart));
  return {
    message: { content: files.length === 0 ? content : [{ type: 'text', text: content }, ...files] },
    structured_output_schema: given.schema === undefined ? undefined : await readSchema(given.schema),
  };
}
