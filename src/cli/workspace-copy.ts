import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Connection } from './connection.ts';
import { CommandFault } from './exit-code.ts';

export interface CopiedFile {
  /** Relative to the folder, with forward slashes. */
  path: string;
  bytes: number;
}

/** A path that stays inside the folder it is put into, whoever named it. */
function placeInside(folder: string, path: string): string {
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes(sep) || name.includes('\0'))) {
    throw new CommandFault(`the task has a file whose name cannot be used here: ${JSON.stringify(path)}`);
  }
  return join(folder, ...names);
}

/** True where the files of a task can be read: not with an API key, which has no access to workspaces. */
export function canCopyWorkspace(connection: Connection): boolean {
  return connection.kind !== 'remote';
}

/** Writes every file of a task's workspace below `folder`, replacing what has the same name. */
export async function copyWorkspace(connection: Connection, taskId: string, folder: string): Promise<CopiedFile[]> {
  const { data } = await connection.call('workspace.list', { task_id: taskId });
  const files = data
    .filter(({ kind }) => kind === 'file')
    .map(({ path, bytes }) => ({ path, bytes, target: placeInside(folder, path) }));
  await mkdir(folder, { recursive: true });
  for (const { path, target } of files) {
    const { content } = await connection.call('workspace.read', { task_id: taskId, path });
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, Buffer.from(content, 'base64'));
  }
  return files.map(({ path, bytes }) => ({ path, bytes }));
}
