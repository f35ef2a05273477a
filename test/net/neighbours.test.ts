import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { Child } from '../support/process/child.ts';
import { compiledCode } from '../support/process/compiled-code.ts';
import { isNightly, timeLimit } from '../support/process/crash-run.ts';

interface Sent {
  outcome: string;
  ms: number;
}

interface Report {
  rounds: { alone: Sent[]; served: Sent[] }[];
  fought: (Sent & { name: string })[];
  grownBytes: number;
}

/** A good receiver that had to wait for a hostile one would wait this long; longer than a busy machine delays anything. */
const totalMs = isNightly ? 3_000 : 15_000;
const mostDelayedMs = isNightly ? 1_000 : 10_000;

/** How each hostile server is left. */
const verdicts: Record<string, string> = {
  'endless headers': 'too_large',
  'endless interim answers': 'too_large',
  'a gigabyte of body': '200 cut',
  'chunks full of extensions': 'too_large',
  'dripping headers': 'timeout',
  'a dripping body': 'timeout',
  'no answer at all': 'timeout',
  'a redirect to this machine': '302',
  'bad TLS': 'tls',
  'a stalled connection': 'timeout',
};

/** The time within which 99 of 100 are done. */
function findSlowest(sent: readonly Sent[]): number {
  const times = sent.map(({ ms }) => ms).toSorted((left, right) => left - right);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

async function runProgram(name: string, args: readonly string[]): Promise<Child> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  return Child.start(process.execPath, [script, ...args], {
    env: { ...compiledCode, PATH: process.env['PATH'] ?? '' },
    cwd: '/',
  });
}

describe('20 hostile receivers beside 20 good ones', () => {
  let report: Report;

  beforeAll(async () => {
    const servers = await runProgram('hostile-servers.ts', []);
    const { text } = await servers.waitForLine(({ source }) => source === 'stdout');
    const { hostile, good } = JSON.parse(text) as { hostile: Record<string, string>; good: string };
    const httpClient = await runProgram('neighbours-process.ts', [JSON.stringify(hostile), good, String(totalMs)]);
    const line = await httpClient.waitForLine(({ source }) => source === 'stdout');
    report = JSON.parse(line.text) as Report;
    servers.signal('SIGKILL');
    await Promise.all([servers.ended, httpClient.ended]);
  });

  it('each end as they should, none after its time', () => {
    const fought = report.fought.map(({ name, outcome }) => [name, outcome]);
    // Each twice in each round.
    expect(fought).toEqual(Array.from({ length: 6 }, () => Object.entries(verdicts)).flat());
    expect(Math.max(...report.fought.map(({ ms }) => ms))).toBeLessThan(timeLimit(2 * totalMs));
  });

  it('do not delay the good ones', () => {
    expect(report.rounds.flatMap(({ served }) => served).every(({ outcome }) => outcome === '200')).toBe(true);
    // A machine that needs long for the good ones alone, or in one round, is busy with other things.
    const [alone, served] = [report.rounds.map((round) => round.alone), report.rounds.map((round) => round.served)];
    expect(Math.min(...served.map(findSlowest))).toBeLessThan(Math.max(mostDelayedMs, 5 * Math.min(...alone.map(findSlowest))));
  });

  it('cost less than 50 MB', () => {
    expect(report.grownBytes).toBeLessThan(50_000_000);
  });
});
