import { defaultLimits, type SandboxEnd } from '@errand/sandbox';

export const longestTimeoutS = 600;
export const usualTimeoutS = defaultLimits.wallMs / 1000;

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** Why it was terminated, and what to do about it. */
export function explainEnd(end: Exclude<SandboxEnd, 'exit'>, timeoutS: number, quota: string | undefined): string {
  const { memoryBytes, workspaceBytes, workspaceEntries, outputBytes } = defaultLimits;
  switch (end) {
    case 'time':
      return `ended after ${timeoutS} seconds; give a longer timeout_seconds (up to ${longestTimeoutS}) or do it in smaller steps`;
    case 'memory':
      return `ended because it took more than ${mebibytes(memoryBytes)} of memory; work on smaller parts`;
    case 'disk':
      return `ended because ${quota ?? `the workspace would hold more than ${mebibytes(workspaceBytes)} or ${workspaceEntries} files`}; remove what is not needed`;
    case 'output':
      return `ended because it wrote more than ${mebibytes(outputBytes)}; write to a file instead`;
  }
}

/** Shells report termination by a signal as 128 plus its number. */
export function describeExit(code: number): string {
  return code > 128 && code < 160 ? `exit code ${code}, ended by signal ${code - 128}` : `exit code ${code}`;
}

/** What a command wrote, and on a line of its own how it ended. */
export function addEnding(text: string, ending: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${ending}]`;
}
