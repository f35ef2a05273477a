import { readdirSync, readlinkSync } from 'node:fs';
import { systemErrorCode } from '../workspace/file-fault.ts';
import { readText } from './kernel-text.ts';

function listNumbers(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^\d+$/.test(name));
}

function hasEnded(thread: string): boolean {
  const text = readText(`${thread}/stat`);
  // The preceding name is in parentheses and can be anything.
  return text === '' || text[text.lastIndexOf(')') + 2] === 'Z';
}

/** Once the first thread of a process has ended, the kernel shows its memory and files only at the others. */
function findLiving(process: string): string {
  if (!hasEnded(process)) return process;
  try {
    const threads = listNumbers(`${process}/task`).map((id) => `${process}/task/${id}`);
    return threads.find((thread) => !hasEnded(thread)) ?? process;
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return process;
    throw error;
  }
}

/**
 * The processes of a sandbox, from the /proc mounted in it: complete, and out of reach from inside. None before that is mounted,
 * while the path still leads to the machine's own, and none after its end.
 */
export function listProcesses(pid: number): string[] {
  const proc = `/proc/${pid}/root/proc`;
  try {
    if (readlinkSync(`${proc}/1/ns/pid`) !== readlinkSync(`/proc/${pid}/ns/pid`)) return [];
    return listNumbers(proc).map((id) => findLiving(`${proc}/${id}`));
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return [];
    throw error;
  }
}
