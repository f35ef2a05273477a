import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildSeccompFilter } from './seccomp-filter.ts';
import { missingCalls, refusedCalls } from './system-calls.ts';

interface Call {
  number: number;
  audit: number;
  argument?: number;
  second?: number;
  third?: number;
}

/** Runs the program like the kernel and returns its verdict. */
function evaluate(program: Buffer, { number, audit, argument = 0, second = 0, third = 0 }: Call): number {
  const record: Record<number, number> = { 0: number, 4: audit, 16: argument, 24: second, 32: third };
  let accumulator = 0;
  for (let step = 0; step < program.length / 8; step++) {
    const code = program.readUInt16LE(step * 8);
    const value = program.readUInt32LE(step * 8 + 4);
    const jump = (isTrue: boolean) => program.readUInt8(step * 8 + (isTrue ? 2 : 3));
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = record[value] ?? Number.NaN;
    else if (code === 0x15) step += jump(accumulator === value);
    else if (code === 0x35) step += jump(accumulator >= value);
    else if (code === 0x45) step += jump((accumulator & value) !== 0);
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program ends without a verdict');
}

const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = 0x00050001;
const missing = 0x00050026;
const pretend = 0x00050000;

const machines = [
  {
    processor: 'x64',
    audit: 0xc000003e,
    read: 0,
    execve: 59,
    ptrace: 101,
    unshare: 272,
    clone: 56,
    socket: 41,
    setsockopt: 54,
    setsid: 112,
    fcntl: 72,
  },
  {
    processor: 'arm64',
    audit: 0xc00000b7,
    read: 63,
    execve: 221,
    ptrace: 117,
    unshare: 97,
    clone: 220,
    socket: 198,
    setsockopt: 208,
    setsid: 157,
    fcntl: 25,
  },
];

describe.each(machines)(
  'the filter for $processor',
  ({ processor, audit, read, execve, ptrace, unshare, clone, socket, setsockopt, setsid, fcntl }) => {
    const program = buildSeccompFilter(processor) ?? Buffer.alloc(0);
    const verdictOf = (number: number, argument?: number) =>
      evaluate(program, { number, audit, ...(argument === undefined ? {} : { argument }) });

    it('allows ordinary programs', () => {
      expect([read, execve].map((number) => verdictOf(number))).toEqual([allow, allow]);
    });

    it('rejects access to other processes and namespaces', () => {
      expect([ptrace, unshare].map((number) => verdictOf(number))).toEqual([refuse, refuse]);
    });

    it('allows new processes and threads, but no namespaces', () => {
      const [fork, thread, newUser, newNet] = [0x01200011, 0x003d0f00, 0x10000011, 0x40000011];
      expect([fork, thread].map((flags) => verdictOf(clone, flags))).toEqual([allow, allow]);
      expect([newUser, newNet].map((flags) => verdictOf(clone, flags))).toEqual([refuse, refuse]);
      expect(verdictOf(435)).toBe(missing);
    });

    it('allows no thread with files of its own, which nothing would measure', () => {
      const [sharing, own] = [0x003d0f00, 0x003d0b00];
      expect([sharing, own].map((flags) => verdictOf(clone, flags))).toEqual([allow, refuse]);
    });

    it('refuses to enlarge a pipe, and nothing else of that call', () => {
      const control = (second: number) => evaluate(program, { number: fcntl, audit, second });
      expect([control(1031), control(1032), control(4)]).toEqual([refuse, allow, allow]);
    });

    it('allows four socket families', () => {
      expect([1, 2, 10, 16].map((family) => verdictOf(socket, family))).toEqual([allow, allow, allow, allow]);
      for (const family of [0, 3, 15, 17, 38, 40, 44, 0xffffffff]) expect(verdictOf(socket, family), String(family)).toBe(refuse);
    });

    it('pretends to create a new session', () => {
      expect(verdictOf(setsid)).toBe(pretend);
    });

    it('pretends to set socket buffer sizes, and sets every other option', () => {
      const setOption = (second: number, third: number) => evaluate(program, { number: setsockopt, audit, second, third });
      expect([setOption(1, 7), setOption(1, 8)]).toEqual([pretend, pretend]);
      expect([setOption(1, 2), setOption(1, 20), setOption(6, 7), setOption(0, 8)]).toEqual([allow, allow, allow, allow]);
    });

    it('kills a process that uses calls of another architecture', () => {
      for (const other of [0x40000003, 0x40000028, 0]) expect(evaluate(program, { number: read, audit: other })).toBe(kill);
    });

    it('rejects the x32 system calls', () => {
      expect(verdictOf(0x40000000 + read)).toBe(missing);
    });
  },
);

it('an unsupported processor is reported', () => {
  expect(buildSeccompFilter('riscv64')).toBeNull();
});

it('the documentation names every call that is refused or missing', () => {
  const page = readFileSync(new URL('../../../../docs/operate/sandbox.md', import.meta.url), 'utf8');
  const named = new Set(Array.from(page.matchAll(/`(\w+)`/g), ([, name]) => name));
  for (const call of [...Object.keys(refusedCalls), ...Object.keys(missingCalls)]) expect(named).toContain(call);
});
