import { invalidField } from '@errand/base/fault.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { memoryMount, splitMemoryPath } from '@errand/sandbox/workspace-path';
import { memoryPathProblem } from '../../rules/memory/memory-path.ts';

/** The memory of a task while one of its calls runs. */
export interface CallMemory {
  /** Opens the folder of the memory, with the current files. */
  open(): Promise<Workspace>;
  /** Called before files are read or listed; the path is relative to the memory, `.` for all of it. */
  noteRead(path: string): void;
  /** The scopes that the task has. */
  scopes: readonly string[];
}

function checkWritten([scope = '', ...names]: readonly string[], scopes: readonly string[]): void {
  const problem = names.length === 0 ? 'is a folder' : memoryPathProblem(names.join('/'));
  if (!scopes.includes(scope)) {
    throw invalidField('path', `give a path below ${scopes.map((each) => `${memoryMount}/${each}`).join(' or ')}.`);
  }
  if (problem !== null) throw invalidField('path', `the part below ${memoryMount}/${scope}/ ${problem}.`);
}

/** A workspace in which paths below /memory lead to the memory. */
export function addMemory(workspace: Workspace, memory: CallMemory): Workspace {
  /** Where a path leads for reading. */
  async function reach(path: string): Promise<[Workspace, string]> {
    const names = splitMemoryPath(path);
    if (!names) return [workspace, path];
    const folder = await memory.open();
    const inside = names.join('/') || '.';
    memory.noteRead(inside);
    return [folder, inside];
  }

  /** Where a path leads for writing. */
  async function reachForWriting(path: string): Promise<[Workspace, string]> {
    const names = splitMemoryPath(path);
    if (!names) return [workspace, path];
    checkWritten(names, memory.scopes);
    return [await memory.open(), names.join('/')];
  }

  return {
    root: workspace.root,
    ...(workspace.quota && { quota: workspace.quota }),
    async read(path, limitBytes) {
      const [place, inside] = await reach(path);
      return place.read(inside, limitBytes);
    },
    async *stream(path, limitBytes) {
      const [place, inside] = await reach(path);
      yield* place.stream(inside, limitBytes);
    },
    async readStart(path, bytes) {
      const [place, inside] = await reach(path);
      return place.readStart(inside, bytes);
    },
    async hold(path) {
      const [place, inside] = await reach(path);
      return place.hold(inside);
    },
    async list(path, limit, options) {
      const [place, inside] = await reach(path);
      const entries = await place.list(inside, limit, options);
      return place === workspace ? entries : entries.map((entry) => ({ ...entry, path: `${memoryMount}/${entry.path}` }));
    },
    async write(path, content) {
      const [place, inside] = await reachForWriting(path);
      await place.write(inside, content);
    },
    async receive(path, content, limitBytes) {
      const [place, inside] = await reachForWriting(path);
      await place.receive(inside, content, limitBytes);
    },
    async remove(path) {
      const [place, inside] = await reachForWriting(path);
      await place.remove(inside);
    },
  };
}
