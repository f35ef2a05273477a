import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPairs } from './standard-input.ts';

const shell = (input: string) => ({ stdin: Readable.from([input]) });

describe('names and values', () => {
  it('come from the command line and from standard input', async () => {
    expect(await readPairs(shell('Authorization: Bearer a:b\r\n\n'), 'header', { given: ['X-One: 1'], isPiped: true })).toEqual({
      'X-One': '1',
      Authorization: 'Bearer a:b',
    });
    expect(await readPairs(shell('X: never read'), 'header', {})).toBeUndefined();
  });

  it('preserve the spaces of a variable', async () => {
    expect(await readPairs(shell('A= b '), 'variable', { isPiped: true })).toEqual({ A: ' b ' });
  });

  it('that are malformed are not repeated in the message', async () => {
    await expect(readPairs(shell('sk-canary'), 'header', { isPiped: true })).rejects.toThrow(
      /^a header must have the form NAME: VALUE$/,
    );
  });
});
