import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { commandNice } from '../sandbox.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';
import { readText } from './kernel-text.ts';

/** Clock ticks per second in which the kernel reports processor time; 100 on every Linux that Node supports. */
const ticksPerSecond = 100;
/**
 * Niceness of the whole session of a sandbox. It is lowered only a little, so that a long command still progresses beside other programs.
 */
const sessionNice = { first: 0, later: 5 } as const;

/** The fields of a process that follow its name, which is in parentheses and can be anything. */
function readFields(process: string): string[] {
  const text = readText(`${process}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The processor time that processes, given as folders in a /proc, and their ended children have used. */
export function* readCpuMs(processes: readonly string[]): Generator<void, number> {
  let ticks = 0;
  for (const process of processes) {
    yield;
    for (const field of readFields(process).slice(11, 15)) ticks += Number(field);
  }
  return (ticks * 1000) / ticksPerSecond;
}

/** The children of a process, in the order in which they were born or adopted. */
function listChildren(pid: number): number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((thread) => readText(`/proc/${pid}/task/${thread}/children`));
    return lists.flatMap((list) => list.trim().split(' ')).flatMap((text) => (text === '' ? [] : [Number(text)]));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

function* listDescendants(pid: number): Generator<number> {
  for (const child of listChildren(pid)) {
    yield child;
    yield* listDescendants(child);
  }
}

/** The processes of a sandbox that a command has started: not its first process, and not the children in `kept` and theirs. */
function* listCommands(pid: number, kept: number): Generator<number> {
  for (const [index, child] of listChildren(pid).entries()) {
    if (index >= kept) yield child;
    const ours = index < kept ? listChildren(child) : [child];
    for (const one of ours) yield* listDescendants(one);
  }
}

/** Lowers the priority of each thread, because threads have priorities of their own. */
function lower(pid: number): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`).map(Number)) {
      if (getPriority(thread) < commandNice.later) setPriority(thread, commandNice.later);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** Where the kernel shares the processors between sessions first, the priority of a process counts only within its session. */
function setSessionPriority(pid: number, nice: number): void {
  const file = `/proc/${pid}/autogroup`;
  const now = / nice (-?\d+)/.exec(readText(file))?.[1];
  if (now === undefined || Number(now) === nice) return;
  try {
    writeFileSync(file, String(nice));
  } catch (error) {
    // The kernel accepts ten changes a second; the next measurement tries again.
    if (systemErrorCode(error) === undefined) throw error;
  }
}

export interface PriorityQuestion {
  kind: 'priority';
  /** The host pid of the sandbox's first process. */
  pid: number;
  /** How many of that process's first children are the service's own, along with their children. */
  kept: number;
  /** Whether its commands should leave the processors to others. */
  isLow: boolean;
}

/**
 * Lowers the priority of what runs in a sandbox, or lets its next command start normally. A lowered process stays so until it ends; it
 * cannot undo that, and its children inherit it.
 */
export function* setPriorities({ pid, kept, isLow }: PriorityQuestion): Generator<void, null> {
  setSessionPriority(pid, isLow ? sessionNice.later : sessionNice.first);
  if (!isLow) return null;
  for (const command of listCommands(pid, kept)) {
    yield;
    lower(command);
  }
  return null;
}
