import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../sandbox.ts';
import { createLimitCheck, pauseAfterMemory, watchPeriodMs } from './sandbox-watch.ts';
import type { DiskUse } from './disk-usage.ts';
import type { FilesUse } from './resource-usage.ts';

const limits = { ...defaultLimits, workspaceBytes: 1000, workspaceEntries: 10 };
const plenty = { freeBytes: 2 ** 40, freeEntries: 1e9 };

function see(disk: DiskUse | null, rest: Partial<FilesUse> = {}): FilesUse {
  return { space: plenty, disk, ...rest };
}

describe('the usage of a sandbox', () => {
  it('is within its limits up to the last byte and file', () => {
    const check = createLimitCheck(limits);
    expect(check(see({ bytes: 1000, entries: 10 }))).toBeNull();
    expect(check(see(null))).toBeNull();
    expect(check(see({ bytes: 1001, entries: 10 }))).toBe('disk');
    expect(check(see({ bytes: 1000, entries: 11 }))).toBe('disk');
  });

  it('may not use the last free disk space, however little it uses', () => {
    expect(createLimitCheck(limits)(see({ bytes: 0, entries: 0 }, { space: { ...plenty, freeBytes: 1_000_000 } }))).toBe('disk');
  });

  it('may exceed the limit at the start, within bounds, but may not grow', () => {
    const amount = fc.nat({ max: 3000 });
    fc.assert(
      fc.property(amount, fc.array(amount), (first, later) => {
        const check = createLimitCheck(limits);
        const verdicts = [first, ...later].map((bytes) => check(see({ bytes, entries: 0 })));
        const allowed = Math.min(Math.max(first, 1000), 2000);
        expect(verdicts).toEqual([first, ...later].map((bytes) => (bytes > allowed ? 'disk' : null)));
      }),
    );
  });

  it('exceeds the limit if it cannot be measured', () => {
    expect(createLimitCheck(limits)(see({ bytes: Number.POSITIVE_INFINITY, entries: 1 }))).toBe('disk');
  });
});

describe('memory', () => {
  it('is measured more often the less of it is left', () => {
    const gibibyte = 2 ** 30;
    const pauses = [0, 0.5, 0.9, 0.99, 1].map((share) => pauseAfterMemory(share * 4 * gibibyte, 4 * gibibyte));
    expect(pauses[0]).toBe(watchPeriodMs);
    expect(pauses.toSorted((one, other) => other - one)).toEqual(pauses);
    expect(pauses.at(-1)).toBe(20);
  });
});
