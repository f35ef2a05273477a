import { isUtf8 } from 'node:buffer';
import { Fault } from '../base/fault.ts';
import { normaliseWorkspacePath } from '../sandbox/workspace-path.ts';
import type { Workspace } from '../sandbox/workspace.ts';

export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/**
 * A text file of the workspace; its byte order mark and line ends stay as they are. Throws a Fault that tells the model what
 * the file is instead, with the first bytes, by which it can know the format.
 */
export async function readText(workspace: Workspace, path: string, limitBytes?: number): Promise<string> {
  const bytes = await workspace.read(path, limitBytes);
  if (isText(bytes)) return bytes.toString('utf8');
  const start = bytes.toString('hex', 0, 8).replace(/..(?=.)/g, '$& ');
  const shown = normaliseWorkspacePath(path);
  const text = `"${shown}" is not a UTF-8 text file (${bytes.length} bytes, beginning with ${start}). Use a tool made for its format.`;
  throw new Fault('invalid_argument', text);
}
