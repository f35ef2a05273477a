import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../sandbox.ts';
import { createJudge } from './sandbox-watch.ts';
import type { DiskUse } from './disk-usage.ts';
import type { Usage } from './resource-usage.ts';

const limits = { ...defaultLimits, memoryBytes: 1000, workspaceBytes: 1000, workspaceEntries: 10 };
const plenty = { freeBytes: 2 ** 40, freeEntries: 1e9, sharedBytes: 0 };

function see(disk: DiskUse | null, rest: Partial<Usage> = {}): Usage {
  return { memoryBytes: 0, machine: plenty, disk, ...rest };
}

describe('what a sandbox uses', () => {
  it('is within its limits up to the last byte and file', () => {
    const judge = createJudge(limits);
    expect(judge(see({ bytes: 1000, entries: 10 }, { memoryBytes: 1000 }))).toBeNull();
    expect(judge(see(null, { memoryBytes: 1001 }))).toBe('memory');
    expect(judge(see({ bytes: 1001, entries: 10 }))).toBe('disk');
    expect(judge(see({ bytes: 1000, entries: 11 }))).toBe('disk');
  });

  it('may not take the last of the disk, however little it is', () => {
    expect(createJudge(limits)(see({ bytes: 0, entries: 0 }, { machine: { ...plenty, freeBytes: 1_000_000 } }))).toBe('disk');
  });

  it('may be too much when it begins, but may only become less, and not have been filled on purpose', () => {
    const amount = fc.nat({ max: 3000 });
    fc.assert(
      fc.property(amount, fc.array(amount), (first, later) => {
        const judge = createJudge(limits);
        const verdicts = [first, ...later].map((bytes) => judge(see({ bytes, entries: 0 })));
        const allowed = Math.min(Math.max(first, 1000), 2000);
        expect(verdicts).toEqual([first, ...later].map((bytes) => (bytes > allowed ? 'disk' : null)));
      }),
    );
  });

  it('cannot be hidden where it cannot be measured', () => {
    expect(createJudge(limits)(see({ bytes: Number.POSITIVE_INFINITY, entries: 1 }))).toBe('disk');
  });
});
