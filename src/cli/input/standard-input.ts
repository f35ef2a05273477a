import { text } from 'node:stream/consumers';
import { UsageFault } from '../exit-code.ts';
import type { Shell } from '../shell.ts';

type Input = Pick<Shell, 'stdin'>;

/** Longer than any password or key, so that the wrong file is not read to its end. */
const maxSecretBytes = 4096;

/** The option of commands that take a password. */
export const passwordOption = {
  'password-stdin': { type: 'boolean', about: 'Read the sign-in password from standard input.' },
} as const;

/** All of standard input except the line break at its end. Throws `UsageFault` for an input that cannot be a password. */
export function readPassword(input: Input): Promise<string> {
  return readSecretText(input, 'password-stdin', 'password');
}

/** Reads an API key from standard input, without the line break at its end. Throws `UsageFault` if it cannot be a key. */
export function readKey(input: Input): Promise<string> {
  return readSecretText(input, 'api-key-stdin', 'key');
}

/** Reads the secret key of a storage from standard input, without the line break at its end. Throws `UsageFault` if it cannot be one. */
export function readStorageSecret(input: Input): Promise<string> {
  return readSecretText(input, 'secret-key-stdin', 'key');
}

async function readSecretText({ stdin }: Input, option: string, noun: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk as Buffer));
    bytes += (chunk as Buffer).length;
    if (bytes > maxSecretBytes) throw new UsageFault(`standard input is too long for a ${noun}`);
  }
  const secret = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (secret === '') throw new UsageFault(`--${option} found no ${noun} on standard input`);
  return secret;
}

/** How a header and a variable are written. */
const pairForms = { header: { separator: ':', form: 'NAME: VALUE' }, variable: { separator: '=', form: 'NAME=VALUE' } } as const;

interface PairSources {
  /** Lines from the command line. */
  given?: readonly string[] | undefined;
  /** Whether further lines come from standard input, where other programs cannot see them. */
  isPiped?: boolean | undefined;
}

/** Names and values, one pair per line; undefined when there are none. Throws `UsageFault` for a malformed line. */
export async function readPairs(
  { stdin }: Input,
  kind: keyof typeof pairForms,
  { given = [], isPiped = false }: PairSources,
): Promise<Record<string, string> | undefined> {
  const { separator, form } = pairForms[kind];
  const piped = isPiped ? (await text(stdin)).split(/\r?\n/).filter((line) => line.trim() !== '') : [];
  const pairs = [...given, ...piped].map((line) => {
    const at = line.indexOf(separator);
    // The message does not repeat the line, which may be a key.
    if (at <= 0) throw new UsageFault(`a ${kind} must have the form ${form}`);
    const value = line.slice(at + 1);
    return [line.slice(0, at).trim(), kind === 'header' ? value.trim() : value] as const;
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
