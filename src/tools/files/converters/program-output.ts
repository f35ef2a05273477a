import { Fault } from '@errand/base/fault.ts';
import type { SandboxResult } from '@errand/sandbox';
import type { Workspace } from '@errand/sandbox/workspace';

export interface OutputFile {
  path: string;
  maxBytes: number;
  /** The message if there is none. */
  problem: string;
}

/** The output file of a program in the sandbox. If missing, rejects with a Fault `invalid_argument` that contains the program's message. */
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
