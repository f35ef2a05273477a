import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { CommandFault, UsageFault } from '../exit-code.ts';
import type { OptionTable } from '../input/command-shape.ts';
import type { Shell } from '../shell.ts';
import type { Connection } from '../transport/connection.ts';
import { onFile, uploadFile } from './file-upload.ts';

/** The argument of commands that create a task. */
export const promptArgument = { PROMPT: 'What to do; - reads it from standard input.' } as const;

/** What a message can carry besides its text. */
export const messageOptions = {
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    multiple: true,
    about: 'File for the agent to work with; repeatable.',
  },
  schema: { type: 'string', value: 'FILE', about: 'JSON schema of the result (structured output).' },
} as const satisfies OptionTable;

interface GivenFile {
  path: string;
  bytes: number;
}

/** How large files may be together to be sent inside a message; otherwise they are uploaded first. */
const inlineBytes = 16 * 1024 * 1024;
const schemaLimitBytes = 1024 * 1024;

async function measure(path: string): Promise<GivenFile> {
  const found = await onFile('file', path, stat(path));
  if (!found.isFile()) throw new CommandFault(`--file ${path}: is not a file`);
  return { path, bytes: found.size };
}

async function inlinePart({ path }: GivenFile) {
  const bytes = await onFile('file', path, readFile(path));
  const data = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  return { type: 'file', filename: basename(path), file_data: data };
}

/** Uploads a file before its message. */
async function uploadedPart({ path }: GivenFile, connection: Connection) {
  return { type: 'file', file_id: await uploadFile('file', path, connection) };
}

async function readSchema(path: string): Promise<unknown> {
  const { size } = await onFile('schema', path, stat(path));
  if (size > schemaLimitBytes) throw new UsageFault(`--schema ${path}: a schema can be at most ${schemaLimitBytes >> 20} MB`);
  const bytes = await onFile('schema', path, readFile(path));
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new CommandFault(`--schema ${path}: is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** A message with its files and schema, checked and not sent yet. */
export interface ReadMessage {
  text: string;
  files: readonly GivenFile[];
  schema: unknown;
}

/** Reads and checks a message before anything is asked of a service. `-` reads the text from standard input. */
export async function readMessage(
  shell: Pick<Shell, 'stdin'>,
  prompt: string,
  given: { file?: string[]; schema?: string },
): Promise<ReadMessage> {
  const content = prompt === '-' ? await text(shell.stdin) : prompt;
  if (content.trim() === '') throw new UsageFault('the text of the message is empty');
  const files = await Promise.all((given.file ?? []).map(measure));
  return { text: content, files, schema: given.schema === undefined ? undefined : await readSchema(given.schema) };
}

/** The `message` and `structured_output_schema` of a request. */
export async function writeMessage({ text: content, files, schema }: ReadMessage, connection: Connection) {
  const isSmall = files.reduce((sum, { bytes }) => sum + bytes, 0) <= inlineBytes;
  const parts: unknown[] = [];
  for (const file of files) parts.push(await (isSmall ? inlinePart(file) : uploadedPart(file, connection)));
  return {
    message: { content: parts.length === 0 ? content : [{ type: 'text', text: content }, ...parts] },
    structured_output_schema: schema,
  };
}
