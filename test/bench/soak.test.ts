import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTrend, type Point } from '../../bench/soak/trend.ts';
import { Child } from '../support/process/child.ts';
import { compiledCode } from '../support/process/compiled-code.ts';
import { createFolder } from '../support/process/leftovers.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const minutes = 60;

/** A value at each minute: a line with noise around it. */
function lineOf(noise: readonly number[], perHour: number, level = 140): Point[] {
  return noise.map((one, minute) => ({ minute, value: level + (perHour * minute) / 60 + one }));
}

const anyNoise = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: minutes, maxLength: minutes });

describe('the verdict of a soak', () => {
  it('is GROWING for whatever grows beyond its tolerance, in any noise', () => {
    fc.assert(
      fc.property(anyNoise, fc.double({ min: 40, max: 500, noNaN: true }), (noise, perHour) => {
        expect(findTrend(lineOf(noise, perHour), 20).verdict).toBe('GROWING');
      }),
    );
  });

  it('is FLAT for whatever stays or shrinks, in any noise', () => {
    fc.assert(
      fc.property(anyNoise, fc.double({ min: -500, max: 0, noNaN: true }), (noise, perHour) => {
        expect(findTrend(lineOf(noise, perHour), 20).verdict).toBe('FLAT');
      }),
    );
  });

  it('does not count caches that fill at the start, nor a moment that is out of the ordinary', () => {
    const noise = Array.from({ length: minutes }, (_, minute) => (minute < 15 ? -60 + 4 * minute : 0));
    noise[minutes - 1] = 300;
    expect(findTrend(lineOf(noise, 0), 20).verdict).toBe('FLAT');
  });

  it('finds a small value that grows as surely as a large one: one file in ten minutes', () => {
    const points = Array.from({ length: minutes }, (_, minute) => ({ minute, value: 35 + Math.floor(minute / 10) }));
    expect(findTrend(points, 3)).toMatchObject({ verdict: 'GROWING', tolerance: 3 });
  });

  it('is TOO SHORT for a handful of looks', () => {
    expect(findTrend(lineOf([0, 0, 0, 0, 0, 0, 0, 0], 100), 1).verdict).toBe('TOO SHORT');
  });
});

describe('npm run soak', () => {
  async function runSoak(args: readonly string[]): Promise<{ code: number | null; lines: string[] }> {
    const env = { ...compiledCode, PATH: process.env['PATH'] ?? '' };
    const child = await Child.start(process.execPath, ['bench/soak/main.ts', ...args], { env, cwd: checkout });
    const { code } = await child.ended;
    return { code, lines: child.lines.map(({ text }) => text) };
  }

  it('prints every value at each look and a verdict on each, without a failed visit', async () => {
    const csvFile = path.join(createFolder('soak'), 'looks.csv');
    const options = ['--minutes', '0.1', '--every', '1', '--rate', '60', '--seed', '4', '--csv', csvFile];
    const { lines } = await runSoak(options);
    const values = ['rss', 'heap', 'files', 'sockets', 'handles', 'threads', 'processes', 'database', 'folder', 'entries'];
    const at = lines.findIndex((line) => line.trim().startsWith('minute'));
    expect(lines[0]).toBe('seed 4');
    expect(lines[at]?.trim().split(/ +/)).toEqual(['minute', 'visits', 'failed', ...values]);
    const [minute, visits, failed, ...held] = (lines[at + 6] ?? '').trim().split(/ +/).map(Number);
    expect([minute, failed]).toEqual([0.1, 0]);
    expect(visits).toBeGreaterThan(0);
    for (const [index, value] of held.entries()) {
      // Between two commands no process is there, and nothing but the database may be in the folder.
      if (!['processes', 'folder'].includes(values[index] ?? '')) expect(value).toBeGreaterThan(0);
    }
    const [names, ...rows] = readFileSync(csvFile, 'utf8').trimEnd().split('\n');
    expect(names).toBe(['minute', 'visits', 'failed', ...values].join(','));
    expect(rows).toHaveLength(6);
    expect(rows.at(-1)?.split(',').map(Number)).toEqual([minute, visits, failed, ...held]);
    for (const name of values) expect(lines.filter((line) => line.startsWith(`${name} `))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^TOO SHORT, 0 of \d+ visits failed$/);
  });

  it('explains its usage when given an invalid option', async () => {
    const { code, lines } = await runSoak(['--minutes', '0']);
    expect([code, lines.join('\n')]).toEqual([64, expect.stringMatching(/must be above 0[^]*npm run soak/)]);
  });
});
