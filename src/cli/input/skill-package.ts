import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CommandFault } from '../exit-code.ts';

/** More than the service accepts, so that the wrong folder is not read to its end. */
const maxFiles = 400;
const maxBytes = 16 * 1024 * 1024;

/** The files of a folder by relative path. Links are rejected, as the service rejects them in a zip. */
async function readFolder(folder: string): Promise<Record<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, Uint8Array> = {};
  let bytes = 0;
  const found = entries.filter((entry) => !entry.isDirectory());
  if (found.length > maxFiles) throw new CommandFault(`${folder}: has too many files for a skill`);
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) throw new CommandFault(`${path}: is not a regular file; a skill has only those`);
    bytes += (await stat(path)).size;
    if (bytes > maxBytes) throw new CommandFault(`${folder}: is too large for a skill`);
    files[relative(folder, path).split(sep).join('/')] = await readFile(path);
  }
  return files;
}

const asZip = (bytes: Uint8Array) => ({ file_data: `data:application/zip;base64,${Buffer.from(bytes).toString('base64')}` });

/** The parameters of skill.create for a folder, a zip or a SKILL.md. */
export async function readSkillPackage(path: string): Promise<{ file_data: string } | { content: string }> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) {
      const files = await readFolder(path);
      if (!Object.hasOwn(files, 'SKILL.md')) throw new CommandFault(`${path}: has no SKILL.md`);
      const { zipSync } = await import('fflate');
      return asZip(zipSync(files));
    }
    if (!found.isFile() || found.size > maxBytes) throw new CommandFault(`${path}: is too large for a skill`);
    const bytes = await readFile(path);
    return /\.zip$/i.test(path) ? asZip(bytes) : { content: bytes.toString('utf8') };
  } catch (error) {
    throw error instanceof CommandFault ? error : new CommandFault((error as Error).message, { cause: error });
  }
}
