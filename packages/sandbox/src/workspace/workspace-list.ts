import { lstat } from 'node:fs/promises';
import { systemErrorCode } from './file-fault.ts';
import type { HeldFolder } from './held-folder.ts';
import type { ListOptions, WorkspaceEntry } from './workspace.ts';
import { maxPathBytes, maxPathDepth, nameProblem } from './workspace-path.ts';

/** Prefix of a file that is being written; a crash can leave one behind, so none is ever listed. */
export const temporaryPrefix = '.errand-write-';

/** More names than this in one folder are ignored: tool code must not make us hold a million. */
const maxFolderNames = 50_000;

/** The names that are valid in paths, in code point order. */
async function readNames(folder: HeldFolder): Promise<string[]> {
  const entries = await folder.entries(maxFolderNames);
  const names = entries.map((entry) => entry.name.toString('utf8'));
  return names.filter((name) => nameProblem(name) === null && !name.startsWith(temporaryPrefix)).sort();
}

/** Undefined for links, devices, deleted entries, and names that are not UTF-8. */
async function inspect(folder: HeldFolder, name: string, path: string): Promise<WorkspaceEntry | undefined> {
  try {
    const found = await lstat(folder.at(name));
    if (found.isFile()) return { path, kind: 'file', bytes: found.size };
    if (found.isDirectory()) return { path, kind: 'folder', bytes: 0 };
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  return undefined;
}

const passingErrors = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES']);

/** Null if the folder was replaced or removed meanwhile, or is unreadable: its content is then not listed. */
async function enterIfStill(folder: HeldFolder, name: string): Promise<HeldFolder | null> {
  try {
    return await folder.enter(name);
  } catch (error) {
    if (passingErrors.has(systemErrorCode(error) ?? '')) return null;
    throw error;
  }
}

/** The entries below a held folder that `names` lead to (see `Workspace.list`). */
export async function listFolder(
  top: HeldFolder,
  names: readonly string[],
  limit: number,
  { depth = maxPathDepth, closed = [] }: ListOptions,
): Promise<WorkspaceEntry[]> {
  const found: WorkspaceEntry[] = [];
  const deepest = Math.min(names.length + depth, maxPathDepth);

  async function visit(folder: HeldFolder, parents: readonly string[]): Promise<void> {
    for (const name of await readNames(folder)) {
      if (found.length >= limit) return;
      const path = [...parents, name].join('/');
      const entry = Buffer.byteLength(path) > maxPathBytes ? undefined : await inspect(folder, name, path);
      if (!entry) continue;
      found.push(entry);
      if (entry.kind === 'file' || parents.length + 1 >= deepest || closed.includes(name)) continue;
      await using inner = await enterIfStill(folder, name);
      if (inner) await visit(inner, [...parents, name]);
    }
  }

  await visit(top, names);
  return found;
}
