import { Fault } from '@errand/base/fault.ts';
import type { SandboxResult } from '@errand/sandbox';
import type { Workspace } from '@errand/sandbox/workspace';

export interface OutputFile {
  path: string;
  maxBytes: number;
  /** What is said where there is none. */
  problem: string;
}

/** The file that a program in the sandbox was to make. Rejects with a Fault `invalid_argument`, with what the program told, where there is none. */
export function readMade(
  workspace: Workspace,
  { path, maxBytes, problem }: OutputFile,
  { end, exitCode, stdout }: SandboxResult,
): Promise<Buffer> {
  return workspace.read(path, maxBytes).catch((cause: unknown) => {
    const detail = `${end} ${exitCode}: ${stdout.toString('utf8', 0, 500)}`;
    throw new Fault('invalid_argument', problem, { detail, cause });
  });
}
