import type { Workspace } from '@errand/sandbox/workspace';

const maxFiles = 50;
const maxBytes = 64 * 1024 * 1024;

/** Folders that are never results. */
const unsent = new Set(['node_modules', '.git', '.venv', '__pycache__', 'downloads', '.errand', 'subtasks']);

/** Every workspace file that may be a result, up to a limit; for a task that declared none. */
export async function listResults(workspace: Workspace): Promise<string[]> {
  const entries = await workspace.list('', 5_000);
  const files = entries.filter(({ path, kind }) => kind === 'file' && !path.split('/').some((name) => unsent.has(name)));
  return files.slice(0, maxFiles).map(({ path }) => path);
}

/**
 * Copies files from one workspace to another, below `folder`; returns their paths there. Throws a Fault for a missing file, and beyond a
 * total limit.
 */
export async function copyFiles(
  { from, to }: { from: Workspace; to: Workspace },
  paths: readonly string[],
  folder: string,
): Promise<string[]> {
  const copied: string[] = [];
  let available = maxBytes;
  for (const path of paths.slice(0, maxFiles)) {
    const content = await from.read(path, Math.max(available, 1));
    available -= content.length;
    const target = folder === '' ? path : `${folder}/${path}`;
    await to.write(target, content);
    copied.push(target);
  }
  return copied;
}
