import { readdirSync, readFileSync } from 'node:fs';

// What Linux knows about a running process; elsewhere nothing, which shows as NaN.

/** The unit of /proc/…/stat: a hundredth of a second on every Linux. */
const tickMs = 10;

function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function readStatus(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readProcFile(pid, 'status'))?.[1];
  return Number(kilobytes) / 1024;
}

/** Memory in use, in MB. */
export function readMemory(pid: number): number {
  return readStatus(pid, 'VmRSS');
}

/** The most memory it ever had in use, in MB. */
export function readPeakMemory(pid: number): number {
  return readStatus(pid, 'VmHWM');
}

/** What /proc/…/stat says after the name of the program. */
function readStat(pid: number): string[] {
  const stat = readProcFile(pid, 'stat');
  // The second field is a name in parentheses that may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Processor time spent so far, in milliseconds. */
export function readProcessorMs(pid: number): number {
  const fields = readStat(pid);
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** The short name of the program it runs; empty when there is no such process. */
export function readProgramName(pid: number): string {
  return readProcFile(pid, 'comm').trim();
}

/** The process that started it; NaN when there is no such process. */
export function readParent(pid: number): number {
  return Number(readStat(pid)[1]);
}

/** All processes of this machine that can be seen. */
export function listProcesses(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => Number.isInteger(id));
}
