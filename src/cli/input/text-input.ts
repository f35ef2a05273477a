import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CommandFault } from '../exit-code.ts';
import type { Shell } from '../shell.ts';

/** The text of a file, or of standard input if none is named. */
export async function readTextInput({ stdin }: Pick<Shell, 'stdin'>, file: string | undefined): Promise<string> {
  if (file === undefined) return text(stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFault(`${file}: cannot be read (${(error as Error).message})`);
  }
}
