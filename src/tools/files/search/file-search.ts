import { Fault } from '@errand/base/fault.ts';
import type { Workspace, WorkspaceEntry } from '@errand/sandbox/workspace';
import { closedFolders } from '../../toolbox/closed-folders.ts';
import type { FileMatches, FoundLine } from './line-search.ts';
import type { SearchThread } from './search-thread.ts';

const maxEntries = 10_000;
const maxSearchedFileBytes = 2 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/** Where to search, and the size limit of the result. `path` is normalized. */
export interface SearchScope {
  path: string;
  glob: string | undefined;
  limit: number;
}

export interface SearchReport {
  /** Files with matches, in path order, and the lines to show. */
  found: { path: string; lines: FoundLine[] }[];
  matches: number;
  filesSearched: number;
  filesLeftOut: number;
  /** Why the search is incomplete, or null. */
  cut: string | null;
}

/** Everything below a folder, or the single file at the path. */
async function listScope(workspace: Workspace, path: string): Promise<WorkspaceEntry[]> {
  try {
    return await workspace.list(path, maxEntries, { closed: closedFolders });
  } catch (error) {
    // Not a folder: reading it shows whether it is a file.
    if (error instanceof Fault && error.code === 'invalid_argument') return [{ path, kind: 'file', bytes: 0 }];
    throw error;
  }
}

async function selectFiles(thread: SearchThread, entries: readonly WorkspaceEntry[], glob: string | undefined) {
  const files = entries.filter(({ kind }) => kind === 'file');
  if (glob === undefined) return files;
  const paths = files.map(({ path }) => path);
  const wanted = new Set(await thread.filterPaths(paths, glob));
  return files.filter(({ path }) => wanted.has(path));
}

/** Null for a file that is deleted, locked or too large; a Fault if it was requested by name. */
async function readFound(workspace: Workspace, { path, bytes }: WorkspaceEntry, isNamed: boolean): Promise<Buffer | null> {
  if (bytes > maxSearchedFileBytes) return null;
  try {
    return await workspace.read(path, maxSearchedFileBytes);
  } catch (error) {
    if (error instanceof Fault && !isNamed) return null;
    throw error;
  }
}

function addMatches(report: SearchReport, path: string, result: FileMatches | null): void {
  report.filesSearched++;
  if (!result || result.matches === 0) return;
  report.matches += result.matches;
  report.found.push({ path, lines: result.lines });
}

/** Searches the files of a scope one by one, until the limit or `signal`. */
export async function searchScope(
  thread: SearchThread,
  scope: SearchScope,
  { workspace, signal }: { workspace: Workspace; signal: AbortSignal },
): Promise<SearchReport> {
  const entries = await listScope(workspace, scope.path);
  const report: SearchReport = { found: [], matches: 0, filesSearched: 0, filesLeftOut: 0, cut: null };
  if (entries.length === maxEntries) report.cut = `only the first ${maxEntries} files and folders were looked at`;
  let bytes = 0;
  for (const file of await selectFiles(thread, entries, scope.glob)) {
    signal.throwIfAborted();
    if (bytes > maxTotalBytes) return { ...report, cut: `the search stopped after ${maxTotalBytes} bytes` };
    const content = await readFound(workspace, file, file.path === scope.path);
    if (content === null) {
      report.filesLeftOut++;
      continue;
    }
    bytes += content.length;
    addMatches(report, file.path, await thread.searchFile(content, scope.limit - report.matches));
    if (report.matches >= scope.limit) return { ...report, cut: `the search stopped after ${scope.limit} matching lines` };
  }
  return report;
}
