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

/** A fresh profile, so macros and links to other files are disabled; it is deleted with the command. */
const flags = ['-env:UserInstallation=file:///tmp/profile', '--headless', '--norestore', '--nologo', '--nolockcheck'];

export interface OfficeProgram {
  /** Path of the LibreOffice executable. */
  program: string;
  sandbox: Sandbox;
  /** Time limit for one document. */
  wallMs?: number;
}

/**
 * Converts a document to PDF. LibreOffice opens it in the sandbox, without a network or access to the rest of the machine. Rejects with a
 * Fault `invalid_argument` for files it cannot convert.
 * @param workspace used for nothing else, with space for files of `maxPdfSourceBytes`
 * @param ending the extension by which the program recognizes the file type
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
