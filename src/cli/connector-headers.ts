import { text } from 'node:stream/consumers';
import { UsageFault } from './exit-code.ts';
import type { Shell } from './shell.ts';

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  // The line is not repeated: it may be a key.
  if (colon <= 0) throw new UsageFault('a header is written NAME: VALUE');
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

/** The headers of a connector from the command line and, one a line, from standard input, where other programs cannot see them. */
export async function readHeaderOptions(
  { stdin }: Pick<Shell, 'stdin'>,
  { header = [], 'headers-stdin': isPiped = false }: { header?: readonly string[]; 'headers-stdin'?: boolean },
): Promise<Record<string, string> | undefined> {
  const piped = isPiped ? (await text(stdin)).split(/\r?\n/).filter((line) => line.trim() !== '') : [];
  const lines = [...header, ...piped];
  return lines.length === 0 ? undefined : Object.fromEntries(lines.map(readHeader));
}
