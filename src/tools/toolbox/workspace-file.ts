import { Fault } from '@errand/base/fault.ts';
import { splitWorkspacePath } from '@errand/sandbox/workspace-path';

/** Whether a text can be the path of a file in the workspace. */
export function isWorkspaceFile(path: string): boolean {
  try {
    return splitWorkspacePath(path).length > 0;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
