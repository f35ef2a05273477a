import { readFileSync, renameSync } from 'node:fs';
import { pause } from './pause.ts';

const pollMs = 20;
const polls = 500;

function takeReport(file: string): string | null {
  try {
    renameSync(file, `${file}.read`);
    return readFileSync(`${file}.read`, 'utf8');
  } catch {
    return null;
  }
}

/** What a process writes to `file` at SIGUSR2, by code that was loaded into it before its own. */
export async function askReport<Report>(pid: number, file: string): Promise<Report> {
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < polls; tries++) {
    await pause(pollMs);
    const text = takeReport(file);
    if (text !== null) return JSON.parse(text) as Report;
  }
  throw new Error(`the process ${pid} did not report`);
}
