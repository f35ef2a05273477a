import { maxPdfSourceBytes } from '../../../rules/artifacts/pdf-source.ts';
import type { Sandbox } from '@errand/sandbox';
import type { Workspace } from '@errand/sandbox/workspace';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import { readMade } from './program-output.ts';

const mebibyte = 1024 * 1024;
const limits = {
  wallMs: 45_000,
  cpuS: 60,
  memoryBytes: 1024 * mebibyte,
  processes: 128,
  fileBytes: 64 * mebibyte,
  outputBytes: 256 * 1024,
  workspaceBytes: 256 * mebibyte,
};

/** A profile that nobody had before, so macros and links to other files are off; it ends with the command. */
const flags = ['-env:UserInstallation=file:///tmp/profile', '--headless', '--norestore', '--nologo', '--nolockcheck'];

export interface OfficeProgram {
  /** LibreOffice's own file. */
  program: string;
  sandbox: Sandbox;
  /** How long one document may take. */
  wallMs?: number;
}

/**
 * A document as PDF. LibreOffice opens it in the sandbox, without a network and without anything else of the machine. Rejects with a
 * Fault `invalid_argument` for what it makes no pages of.
 * @param workspace used for nothing else, with space for files of `maxPdfSourceBytes`
 * @param ending the one under which the program knows the kind of file
 */
export async function convertToPdf(
  { program, sandbox, wallMs = limits.wallMs }: OfficeProgram,
  workspace: Workspace,
  { bytes, ending }: { bytes: Uint8Array; ending: string },
  signal: AbortSignal,
): Promise<Buffer> {
  const file = `document.${ending}`;
  await workspace.write(file, bytes);
  await workspace.write('pages/.keep', '');
  const result = await sandbox.run({
    command: [program, ...flags, '--convert-to', 'pdf', '--outdir', `${workspaceMount}/pages`, `${workspaceMount}/${file}`],
    workspace,
    signal,
    env: { SAL_USE_VCLPLUGIN: 'svp' },
    mergesOutput: true,
    limits: { ...limits, wallMs },
  });
  const problem = 'No pages can be made of this file.';
  return readMade(workspace, { path: 'pages/document.pdf', maxBytes: maxPdfSourceBytes, problem }, result);
}
