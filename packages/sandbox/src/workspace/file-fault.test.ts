import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { kill } from 'node:process';
import { describe, expect, it } from 'vitest';
import { systemErrorCode } from './file-fault.ts';

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('the code of a system error', () => {
  const { pid: ended } = spawnSync('true');

  it('is found wherever Node stores it', () => {
    expect(systemErrorCode(errorOf(() => readFileSync('/missing/file')))).toBe('ENOENT');
    expect(systemErrorCode(errorOf(() => kill(ended, 0)))).toBe('ESRCH');
    expect(systemErrorCode(errorOf(() => setPriority(ended, 1)))).toBe('ESRCH');
  });

  it('is undefined for any other error', () => {
    for (const error of [new Error('no'), { code: 'ENOENT' }, null, 'ENOENT', Object.assign(new Error('no'), { code: 7 })]) {
      expect(systemErrorCode(error)).toBeUndefined();
    }
  });
});
