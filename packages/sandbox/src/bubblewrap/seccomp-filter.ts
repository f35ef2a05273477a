import { endianness } from 'node:os';
import { arch } from 'node:process';
import { missingCalls, refusedCalls } from './system-calls.ts';

const machines = {
  x64: { index: 0, audit: 0xc000_003e, clone: 56, socket: 41, setsockopt: 54, setsid: 112, fcntl: 72 },
  arm64: { index: 1, audit: 0xc000_00b7, clone: 220, socket: 198, setsockopt: 208, setsid: 157, fcntl: 25 },
} as const;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const namespaceFlags = 0x7e02_0000;

/** Unix, IPv4, IPv6 and netlink. In particular, AF_VSOCK is not part of a network namespace and leads out of a virtual machine. */
const socketFamilies = [1, 2, 10, 16];

/** SOL_SOCKET, with SO_SNDBUF and SO_RCVBUF: how much kernel memory a socket may hold. */
const bufferOptions = { level: 1, names: [7, 8] } as const;

/** F_SETPIPE_SZ: how much kernel memory a pipe may hold. */
const setPipeSize = 1031;

/** CLONE_THREAD without CLONE_FILES: descriptors that only /proc/PID/task would show. */
const threadFlag = 0x0001_0000;
const sharedFilesFlag = 0x0000_0400;

/** The x32 system calls (32-bit pointers on x86-64) start here. */
const x32Calls = 0x4000_0000;

/** Classic BPF: load a word of the call's record; compare; return. */
const op = { load: 0x20, isEqual: 0x15, isAtLeast: 0x35, hasBits: 0x45, answer: 0x06 } as const;
const at = { call: 0, audit: 4, firstArgument: 16, secondArgument: 24, thirdArgument: 32 } as const;

/** Non-obvious ones: `missing` fails as if the kernel lacked the call, `pretend` succeeds without doing anything. */
const verdicts = ['allow', 'kill', 'refuse', 'missing', 'pretend'] as const;
const answers = {
  allow: 0x7fff_0000,
  kill: 0x8000_0000,
  refuse: 0x0005_0001,
  missing: 0x0005_0026,
  pretend: 0x0005_0000,
} as const;

/** The next step: a verdict, or how many instructions to skip. */
type Target = (typeof verdicts)[number] | number;

interface Step {
  code: number;
  value: number;
  yes?: Target;
  no?: Target;
}

function listSteps({ index, audit, clone, socket, setsockopt, setsid, fcntl }: (typeof machines)[keyof typeof machines]): Step[] {
  const numbers = (table: Record<string, readonly (number | null)[]>) =>
    Object.values(table).flatMap((entry) => entry[index] ?? []);
  return [
    { code: op.load, value: at.audit },
    { code: op.isEqual, value: audit, no: 'kill' },
    { code: op.load, value: at.call },
    { code: op.isAtLeast, value: x32Calls, yes: 'missing' },
    ...numbers(refusedCalls).map((value): Step => ({ code: op.isEqual, value, yes: 'refuse' })),
    ...numbers(missingCalls).map((value): Step => ({ code: op.isEqual, value, yes: 'missing' })),
    // The kernel's scheduler gives each session a full share of the processor.
    { code: op.isEqual, value: setsid, yes: 'pretend' },
    // Larger buffers would be memory that nothing counts; programs do without.
    { code: op.isEqual, value: setsockopt, no: 4 + bufferOptions.names.length },
    { code: op.load, value: at.secondArgument },
    { code: op.isEqual, value: bufferOptions.level, no: 'allow' },
    { code: op.load, value: at.thirdArgument },
    ...bufferOptions.names.map((value): Step => ({ code: op.isEqual, value, yes: 'pretend' })),
    { code: op.isAtLeast, value: 0, yes: 'allow' },
    { code: op.isEqual, value: fcntl, no: 2 },
    { code: op.load, value: at.secondArgument },
    { code: op.isEqual, value: setPipeSize, yes: 'refuse', no: 'allow' },
    { code: op.isEqual, value: clone, no: 4 },
    { code: op.load, value: at.firstArgument },
    { code: op.hasBits, value: namespaceFlags, yes: 'refuse' },
    { code: op.hasBits, value: threadFlag, no: 'allow' },
    { code: op.hasBits, value: sharedFilesFlag, yes: 'allow', no: 'refuse' },
    { code: op.isEqual, value: socket, no: 'allow' },
    { code: op.load, value: at.firstArgument },
    ...socketFamilies.map((value): Step => ({ code: op.isEqual, value, yes: 'allow' })),
    { code: op.isAtLeast, value: 0, yes: 'refuse' },
  ];
}

/**
 * The seccomp filter for this machine's processor, in the kernel's format; null for unsupported processors. It is applied after namespaces
 * and limits and blocks most of the kernel's rarely used parts.
 */
export function buildSeccompFilter(processor: string = arch): Buffer | null {
  const machine = processor === 'x64' || processor === 'arm64' ? machines[processor] : null;
  if (!machine || endianness() !== 'LE') return null;
  const steps = listSteps(machine);
  const program = Buffer.alloc((steps.length + verdicts.length) * 8);
  const write = (place: number, code: number, [yes, no]: readonly [number, number], value: number) => {
    program.writeUInt16LE(code, place * 8);
    program.writeUInt8(yes, place * 8 + 2);
    program.writeUInt8(no, place * 8 + 3);
    program.writeUInt32LE(value, place * 8 + 4);
  };
  for (const [place, { code, value, yes = 0, no = 0 }] of steps.entries()) {
    const jump = (target: Target) => (typeof target === 'number' ? target : steps.length + verdicts.indexOf(target) - place - 1);
    write(place, code, [jump(yes), jump(no)], value);
  }
  for (const [place, verdict] of verdicts.entries()) write(steps.length + place, op.answer, [0, 0], answers[verdict]);
  return program;
}
