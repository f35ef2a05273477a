import type { Shell } from './shell.ts';
import { UsageFault } from './exit-code.ts';

/** More than any password may have, so that a wrong file is not read to its end. */
const maxBytes = 4096;

/** What `--password-stdin` reads: everything on standard input but the line break at its end. */
export async function readPassword({ stdin }: Shell): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk as Buffer));
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw new UsageFault('standard input is too long for a password');
  }
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (password === '') throw new UsageFault('--password-stdin found no password on standard input');
  return password;
}

export const passwordOption = {
  'password-stdin': { type: 'boolean', about: 'Read the password for signing in from standard input.' },
} as const;
