import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readHeaderOptions } from './connector-headers.ts';

const shell = (input: string) => ({ stdin: Readable.from([input]) });

describe('the headers of a connector', () => {
  it('come from the command line and from standard input', async () => {
    const given = { header: ['X-One: 1'], 'headers-stdin': true };
    expect(await readHeaderOptions(shell('Authorization: Bearer a:b\r\n\n'), given)).toEqual({
      'X-One': '1',
      Authorization: 'Bearer a:b',
    });
    expect(await readHeaderOptions(shell('X: never read'), {})).toBeUndefined();
  });

  it('that are none are not repeated', async () => {
    await expect(readHeaderOptions(shell('sk-canary'), { 'headers-stdin': true })).rejects.toThrow(
      /^a header is written NAME: VALUE$/,
    );
  });
});
