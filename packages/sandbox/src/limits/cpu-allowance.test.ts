import { describe, expect, it } from 'vitest';
import { CpuAllowance } from './cpu-allowance.ts';

describe('a sandbox', () => {
  it('may use the processors for a moment, and a little of them all the time', () => {
    const allowance = new CpuAllowance(0);
    expect(allowance.isExceeded(400, 1000)).toBe(false);
    for (let second = 2; second < 1000; second += 1) expect(allowance.isExceeded(400 + second * 15, second * 1000)).toBe(false);
  });

  it('exceeds its allowance by working without a pause, and regains it by resting', () => {
    const allowance = new CpuAllowance(0);
    expect(allowance.isExceeded(500, 1000)).toBe(false);
    expect(allowance.isExceeded(1500, 2000)).toBe(true);
    expect(allowance.isExceeded(100_000, 50_000)).toBe(true);
    expect(allowance.isExceeded(100_000, 70_000)).toBe(true);
    expect(allowance.isExceeded(100_000, 76_000)).toBe(false);
  });

  it('regains nothing when processes disappear', () => {
    const allowance = new CpuAllowance(0);
    expect(allowance.isExceeded(5000, 1000)).toBe(true);
    expect(allowance.isExceeded(0, 1001)).toBe(true);
  });
});
