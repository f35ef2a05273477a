import { mkdir, open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CommandFault } from '../exit-code.ts';
import type { Connection } from '../transport/connection.ts';

/** A file that was written to the folder. */
export interface CopiedFile {
  /** The file's name in the folder. */
  path: string;
  bytes: number;
}

interface Artifact {
  filename: string;
  file_type: string;
  url?: string | undefined;
}

/** Reads the bytes at a URL of the service. */
export type Download = (url: string) => AsyncIterable<Uint8Array>;

/** Downloads from a pre-signed URL of the content origin: without a key, and without following redirects. */
export async function* download(url: string): AsyncGenerator<Uint8Array> {
  const response = await fetch(url, { redirect: 'error' }).catch((error: unknown) => {
    throw new CommandFault(`cannot download a file of the task from ${new URL(url).origin}: ${(error as Error).message}`);
  });
  if (!response.ok || !response.body) throw new CommandFault(`cannot download a file of the task: status ${response.status}`);
  yield* response.body;
}

async function listArtifacts(connection: Connection, taskId: string): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await connection.call('artifact.list', { task_id: taskId, limit: 100, cursor });
    artifacts.push(...page.data);
    if (!page.has_more) return artifacts;
    cursor = page.next_cursor;
  }
}

/** Rejects untrusted names that would lead out of the folder. */
function checkName(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)) return name;
  throw new CommandFault(`the task has a file with a name that cannot be used here: ${JSON.stringify(name)}`);
}

/** A name that is not taken: the second `name.md` becomes `name (2).md`. */
function distinguish(name: string, taken: ReadonlySet<string>): string {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  let chosen = name;
  for (let count = 2; taken.has(chosen); count += 1) chosen = `${stem} (${count})${ending}`;
  return chosen;
}

async function save(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await open(path, 'w');
  let bytes = 0;
  for await (const piece of content) {
    await file.writeFile(piece);
    bytes += piece.byteLength;
  }
  return bytes;
}

/** Writes everything that a task delivered into `folder`, the oldest first, replacing what has the same name. */
export async function copyArtifacts(
  connection: Connection,
  taskId: string,
  folder: string,
  read: Download = download,
): Promise<CopiedFile[]> {
  const artifacts = (await listArtifacts(connection, taskId)).toReversed();
  const files = artifacts.flatMap(({ filename, file_type, url }) =>
    url === undefined || file_type === 'webdev' ? [] : [{ name: checkName(filename), url }],
  );
  await mkdir(folder, { recursive: true });
  const copied: CopiedFile[] = [];
  const taken = new Set<string>();
  for (const { name, url } of files) {
    const path = distinguish(name, taken);
    taken.add(path);
    copied.push({ path, bytes: await save(join(folder, path), read(url)) });
  }
  return copied;
}
