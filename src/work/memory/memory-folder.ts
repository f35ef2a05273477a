import { isUtf8 } from 'node:buffer';
import { Fault } from '@errand/base/fault.ts';
import { makeFolders } from '@errand/sandbox/empty-folders';
import type { Workspace, WorkspaceEntry } from '@errand/sandbox/workspace';
import { memoryPathProblem } from '../../rules/memory/memory-path.ts';
import { type MemoryPlace, memoryLimits } from '../../rules/memory/memory-scope.ts';
import type { LoadedStore, MemoryText } from '../../store/memory/memory-reads.ts';

/** A file in the folder, as it was laid there. */
export interface LaidFile extends MemoryPlace {
  file: MemoryText;
}

/** A difference between the folder and what was laid there; `content` is null for a deletion. */
export interface FolderChange extends MemoryPlace {
  /** Relative to the memory. */
  place: string;
  path: string;
  content: string | null;
  ifVersion: number;
}

/** Something in the folder that cannot be kept. */
export interface Misfit {
  place: string;
  problem: string;
  /** Content of the file, if it is small enough to be rescued. */
  bytes: Buffer | null;
}

/** Far more entries than can be kept. */
const mostEntries = 1500;

/** The largest file in the folder that is read: more than is kept, so that a text that is too large can be rescued. */
export const memoryFileBytes = 4 * 1024 * 1024;

/** The folder that a task sees as /memory: the files of its stores, which tools may change, and whatever else they leave there. */
export class MemoryFolder {
  readonly #folder: Workspace;
  readonly #places: readonly MemoryPlace[];
  /** Files laid out for the task, by path relative to the memory. */
  readonly #laid = new Map<string, LaidFile>();

  constructor(folder: Workspace, places: readonly MemoryPlace[]) {
    this.#folder = folder;
    this.#places = places;
  }

  get workspace(): Workspace {
    return this.#folder;
  }

  /** The files below a path, `.` for all. */
  filesBelow(path: string): MemoryText[] {
    const isBelow = (place: string) => path === '.' || place === path || place.startsWith(`${path}/`);
    return [...this.#laid].flatMap(([place, { file }]) => (isBelow(place) ? [file] : []));
  }

  /** Makes the folder hold exactly what these stores have. */
  async lay(stores: readonly LoadedStore[]): Promise<void> {
    for (const { scope, scopeId, files } of stores) {
      for (const [place, laid] of this.#laid) if (laid.scope === scope) this.#laid.delete(place);
      for (const file of files) this.#laid.set(`${scope}/${file.path}`, { scope, scopeId, file });
    }
    await this.#clean();
    for (const [place, { file }] of this.#laid) {
      if (!(await this.#holds(place, file.content))) await this.#folder.write(place, file.content);
    }
  }

  async #list(): Promise<WorkspaceEntry[]> {
    return this.#folder.list('.', mostEntries);
  }

  /** Removes what no store has, such as a folder or link in place of a file. */
  async #clean(): Promise<void> {
    const scopes = this.#places.map(({ scope }) => scope);
    await makeFolders(this.#folder.root, []);
    const entries = await this.#list();
    if (entries.length >= mostEntries) return this.#empty();
    for (const { path, kind } of entries) {
      const isKept =
        kind === 'file' ? this.#laid.has(path) : scopes.some((scope) => path === scope || path.startsWith(`${scope}/`));
      if (!isKept || (kind === 'folder' && this.#laid.has(path))) await this.#folder.remove(path);
    }
    await this.#makeScopes();
  }

  async #empty(): Promise<void> {
    for (const { path } of await this.#folder.list('.', mostEntries, { depth: 1 })) await this.#folder.remove(path);
    await this.#makeScopes();
  }

  async #makeScopes(): Promise<void> {
    for (const { scope } of this.#places) {
      // Fails only if a link or file took its place.
      await makeFolders(this.#folder.root, [scope]).catch(async () => {
        await this.#folder.remove(scope);
        await makeFolders(this.#folder.root, [scope]);
      });
    }
  }

  async #holds(place: string, content: string): Promise<boolean> {
    try {
      return (await this.#folder.read(place)).equals(Buffer.from(content));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      await this.#folder.remove(place);
      return false;
    }
  }

  /** What tools have changed since the files were laid. */
  async findChanges(): Promise<{ changes: FolderChange[]; misfits: Misfit[] }> {
    const changes: FolderChange[] = [];
    const misfits: Misfit[] = [];
    const entries = await this.#list();
    if (entries.length >= mostEntries) {
      return { changes, misfits: [{ place: '.', problem: `it had more than ${mostEntries} entries`, bytes: null }] };
    }
    for (const { path: place, bytes } of entries.filter(({ kind }) => kind === 'file')) {
      const found = await this.#examine(place, bytes);
      if (found === null) continue;
      if ('problem' in found) misfits.push(found);
      else changes.push(found);
    }
    const there = new Set(entries.map(({ path }) => path));
    for (const [place, { scope, scopeId, file }] of this.#laid) {
      if (there.has(place) && !changes.some((change) => change.place.startsWith(`${place}/`))) continue;
      changes.unshift({ scope, scopeId, place, path: file.path, content: null, ifVersion: file.version });
    }
    return { changes, misfits };
  }

  /** What became of a file; null if it is as it was laid. */
  async #examine(place: string, bytes: number): Promise<FolderChange | Misfit | null> {
    const [first = ''] = place.split('/');
    const store = this.#places.find(({ scope }) => scope === first);
    const path = place.slice(first.length + 1);
    const laid = this.#laid.get(place);
    const content = bytes > memoryFileBytes ? null : await this.#folder.read(place).catch(() => null);
    if (content && laid && content.equals(Buffer.from(laid.file.content))) return null;
    const problem = store ? (memoryPathProblem(path) ?? findProblem(content)) : 'it is not below a folder that is kept';
    if (!store || problem !== null) return { place, problem: problem ?? '', bytes: content };
    return { ...store, place, path, content: content?.toString('utf8') ?? '', ifVersion: laid?.file.version ?? 0 };
  }
}

function findProblem(content: Buffer | null): string | null {
  if (!content || content.length > memoryLimits.fileBytes) {
    return `it has more than ${memoryLimits.fileBytes} bytes or cannot be read; divide it into several files`;
  }
  return isUtf8(content) && !content.includes(0) ? null : 'it is not text';
}
