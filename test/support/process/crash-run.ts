import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { Chance } from '../base/chance.ts';
import { canWriteTo } from './writable-folder.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const historyFolder = chooseFolder();

/** Another user than the owner of the checkout cannot write there, and has a folder of their own. */
function chooseFolder(): string {
  const folder = join(checkout, 'node_modules/.cache/errand-runs');
  return canWriteTo(folder) ? folder : join(tmpdir(), `errand-runs-${userInfo().uid}`);
}

/** Rounds of a nightly run; a smaller number shortens every test in proportion. */
const wholeNight = 200;
const gateSeed = 20_261_121;

const askedRounds = Number(process.env.ERRAND_TEST_ROUNDS ?? 0);
/** Part of the gate's rounds: its second run, as an ordinary user, repeats what differs between users, not what chance finds. */
const gateShare = readShare(process.env.ERRAND_TEST_GATE_SHARE ?? '1');

/** The share of the gate in a variable. Throws if it is none: rounds that are no number run not once, and so would pass. */
export function readShare(text: string): number {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw new Error(`ERRAND_TEST_GATE_SHARE must be a number above 0 and at most 1, not ${JSON.stringify(text)}`);
}

/** True for a nightly run, as set by ERRAND_TEST_ROUNDS. */
export const isNightly = askedRounds > 0;

/** Time limits: strict on the quiet nightly machine, and much longer in the commit gate, which measures no speed. */
export function timeLimit(nightMs: number): number {
  return isNightly ? nightMs : 30 * nightMs;
}

interface RoundCounts {
  gate: number;
  night: number;
  /** Fewer prove nothing, because the result is a statistic of all rounds. */
  least?: number;
}

/** The number of rounds for this test run: that of the gate or its share, or that of a night in proportion to ERRAND_TEST_ROUNDS. */
export function countRounds({ gate, night, least = 1 }: RoundCounts): number {
  return Math.max(least, Math.round(isNightly ? (night * askedRounds) / wholeNight : gate * gateShare));
}

function readCommit(): string {
  try {
    // The checkout may belong to another user.
    const args = ['-c', `safe.directory=${resolve(checkout)}`, 'rev-parse', '--short', 'HEAD'];
    return execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function chooseSeed(): number {
  const given = process.env.ERRAND_TEST_SEED;
  if (given) return Number(given);
  return isNightly ? randomInt(2 ** 32) : gateSeed;
}

/** One run of a crash test: its seed, actions and result, always recorded. */
export interface CrashRun {
  readonly seed: number;
  readonly chance: Chance;
  readonly rounds: number;
  /** An observation or action. */
  note(entry: Record<string, unknown>): void;
  /** A figure of the result. */
  measure(figures: Record<string, number>): void;
}

/**
 * Starts the record of the running test. The gate has a fixed seed, each nightly run a new one; ERRAND_TEST_SEED repeats a run. The record
 * is written to node_modules/.cache/errand-runs, or a temporary folder if the user cannot write there, its verdict to standard output.
 */
export function beginRun(name: string, counts: RoundCounts): CrashRun {
  const seed = chooseSeed();
  const rounds = countRounds(counts);
  const entries: Record<string, unknown>[] = [];
  const figures: Record<string, number> = {};
  const startedAt = new Date();
  onTestFinished(({ task }) => {
    const verdict = task.result?.state === 'fail' ? 'failed' : 'passed';
    const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
    const head = { name, date: startedAt.toISOString(), commit: readCommit(), seed, rounds, verdict, seconds, figures };
    mkdirSync(historyFolder, { recursive: true });
    const file = join(historyFolder, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}-${startedAt.getTime()}.jsonl`);
    writeFileSync(file, [head, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    console.log(`crash run ${JSON.stringify(head)}`);
  });
  return {
    seed,
    chance: new Chance(seed),
    rounds,
    note: (entry) => void entries.push({ atMs: Date.now() - startedAt.getTime(), ...entry }),
    measure: (more) => void Object.assign(figures, more),
  };
}

/** A percentile of the samples, rounded. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
