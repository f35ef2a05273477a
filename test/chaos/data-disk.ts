import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

const sizeMb = 384;
const pieceBytes = 2 ** 20;
const smallestPiece = 4096;

/** The disk of the data folder: one of its own that can be filled where this process may mount one, else a plain folder. */
export class DataDisk {
  readonly folder: string;
  readonly canBeFull: boolean;
  readonly #filler: string;

  private constructor(folder: string, canBeFull: boolean) {
    this.folder = path.join(folder, 'errand');
    this.canBeFull = canBeFull;
    this.#filler = path.join(folder, 'filler');
    mkdirSync(this.folder);
  }

  /** `CHAOS_MOUNTS` says that mounts end with this process, in a namespace of its own. */
  static create(folder: string): DataDisk {
    mkdirSync(folder);
    const canMount = process.env['CHAOS_MOUNTS'] === 'own';
    if (canMount) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder]);
    return new DataDisk(folder, canMount);
  }

  /** Leaves no free byte. */
  fill(): void {
    const file = openSync(this.#filler, 'a');
    for (let bytes = pieceBytes; bytes >= smallestPiece; ) {
      try {
        writeSync(file, Buffer.alloc(bytes, 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        bytes /= 2;
      }
    }
    closeSync(file);
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  remove(): void {
    if (this.canBeFull) execFileSync('umount', ['--lazy', path.dirname(this.folder)]);
  }
}
