import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../store/blobs/durable-files.ts';
import { BackupProblem } from '../../store/backup/backup-problem.ts';
import { secretFile } from '../../store/instance/secret-file.ts';

const stagePrefix = '.restore-';
const replacedPrefix = 'replaced-';
/** Prefix of the folder in which a move keeps its backup. */
export const movePrefix = '.move-';

/** Entries that a data folder may have and still count as empty: leftovers of processes, and a secret that the operator placed there. */
const ignored = new Set(['lock.db', 'lock.db-journal', 'control.sock', secretFile]);

function isIgnored(name: string): boolean {
  return ignored.has(name) || [stagePrefix, replacedPrefix, movePrefix].some((prefix) => name.startsWith(prefix));
}

/** A folder inside the data folder whose entries become those of the data folder, all or none. */
export class StagedFolder {
  readonly path: string;
  readonly #dataDir: string;
  readonly #present: readonly string[];
  readonly #moved: [from: string, to: string][] = [];
  /** Where the former entries went; null if there were none. */
  replaced: string | null = null;

  private constructor(dataDir: string, present: readonly string[]) {
    this.#dataDir = dataDir;
    this.#present = present;
    this.path = join(dataDir, `${stagePrefix}${randomBytes(6).toString('hex')}`);
  }

  /** Rejects with `BackupProblem` if the data folder is not empty and its content is not to be replaced. */
  static async make(dataDir: string, isReplacing: boolean): Promise<StagedFolder> {
    const names = await readdir(dataDir);
    const present = names.filter((name) => !isIgnored(name));
    if (present.length > 0 && !isReplacing) {
      throw new BackupProblem(
        `ERRAND_DATA_DIR: ${dataDir} is not empty; choose an empty folder, or --replace to set aside what it has`,
      );
    }
    // A killed restore may have left folders.
    for (const name of names) if (name.startsWith(stagePrefix)) await rm(join(dataDir, name), { recursive: true });
    const staged = new StagedFolder(dataDir, present);
    await mkdir(staged.path, { mode: 0o700 });
    return staged;
  }

  /** Sets existing entries aside and moves the staged ones in, `last` as the last one. Undone if a step fails. */
  async moveIn(last: string): Promise<void> {
    try {
      if (this.#present.length > 0) await this.#setAside();
      const names = (await readdir(this.path)).toSorted((one, other) => Number(one === last) - Number(other === last));
      for (const name of names) await this.#move(join(this.path, name), join(this.#dataDir, name));
      await syncFolder(this.#dataDir);
    } catch (error) {
      await this.moveBack();
      throw error;
    }
  }

  /** Undoes `moveIn`. */
  async moveBack(): Promise<void> {
    for (const [from, to] of this.#moved.toReversed()) await rename(to, from);
    this.#moved.length = 0;
    if (this.replaced !== null) await rm(this.replaced, { recursive: true });
    this.replaced = null;
  }

  /** Removes what has not been moved. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  async #setAside(): Promise<void> {
    this.replaced = join(this.#dataDir, `${replacedPrefix}${randomBytes(6).toString('hex')}`);
    await mkdir(this.replaced, { mode: 0o700 });
    for (const name of this.#present) await this.#move(join(this.#dataDir, name), join(this.replaced, name));
    const [present, staged] = [await readdir(this.#dataDir), await readdir(this.path)];
    if (!present.includes(secretFile) || !staged.includes(secretFile)) return;
    await this.#move(join(this.#dataDir, secretFile), join(this.replaced, secretFile));
  }

  async #move(from: string, to: string): Promise<void> {
    await rename(from, to);
    this.#moved.push([from, to]);
  }
}
