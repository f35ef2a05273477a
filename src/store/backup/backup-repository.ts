import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { Measuring } from '../blobs/measuring.ts';
import type { Measure } from '../blobs/blob-store.ts';
import { type BackupManifest, readManifest, writeManifest } from './backup-manifest.ts';
import { BackupProblem } from './backup-problem.ts';
import { backupsKey, type BackupTarget } from './backup-target.ts';
import { findKey, type KeyRecipe, makeKey } from './passphrase-key.ts';
import { openSealedStream, sealedSize, sealStream } from './sealed-stream.ts';

const headerKey = 'errand-backup.json';
const passphraseSetting = 'ERRAND_BACKUP_PASSPHRASE';

const headerSchema = z.object({
  format: z.literal(1),
  encryption: z
    .object({
      kdf: z.literal('argon2id'),
      memory: z.number().max(4 * 1024 * 1024),
      passes: z.number().max(100),
      parallelism: z.number().max(64),
      salt: z.string(),
      proof: z.string(),
    })
    .nullable(),
});

async function* once(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

/** The backups of a target, encrypted or not. Objects never change. A backup is finished once its manifest, the last object, exists. */
export class BackupRepository {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly #target: BackupTarget;
  readonly #key: Buffer | null;

  private constructor(target: BackupTarget, key: Buffer | null) {
    this.name = target.name;
    this.isEncrypted = key !== null;
    this.#target = target;
    this.#key = key;
  }

  /** The repository in a target. Rejects with `BackupProblem` if there is none, or the passphrase is wrong. */
  static async open(target: BackupTarget, passphrase: string | null): Promise<BackupRepository> {
    const stored = await target.open(headerKey);
    if (stored === null) throw new BackupProblem(`${target.name} has no backups of errand`);
    const recipe = readHeader(await text(stored), target.name);
    return new BackupRepository(target, await openKey(target.name, recipe, passphrase));
  }

  /** Opens a repository. An empty target is first turned into one, encrypted if there is a passphrase. */
  static async openOrMake(target: BackupTarget, passphrase: string | null): Promise<BackupRepository> {
    if ((await target.size(headerKey)) !== null) return BackupRepository.open(target, passphrase);
    if (!(await target.isEmpty())) {
      throw new BackupProblem(`${target.name} is not empty and has no backups of errand; choose an empty target`);
    }
    const made = passphrase === null ? null : await makeKey(passphrase);
    await target.put(headerKey, once(`${JSON.stringify({ format: 1, encryption: made?.recipe ?? null })}\n`));
    return new BackupRepository(target, made?.key ?? null);
  }

  /** Stores an object and returns the size and checksum of its content. */
  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<Measure> {
    const measuring = new Measuring(Number.MAX_SAFE_INTEGER);
    const content = measuring.pass(source);
    await this.#target.put(key, this.#key ? sealStream(content, this.#key, key) : content);
    return measuring.measure();
  }

  /** Whether the object exists and has this many bytes of content. */
  async holds(key: string, bytes: number): Promise<boolean> {
    return (await this.#target.size(key)) === (this.#key ? sealedSize(bytes) : bytes);
  }

  /** The content of an object. The stream ends with a `BackupProblem` if the content differs from what was stored. */
  async *open(key: string, expected: Measure): AsyncGenerator<Uint8Array> {
    const measuring = new Measuring(Number.MAX_SAFE_INTEGER);
    yield* measuring.pass(await this.#read(key));
    const found = measuring.measure();
    if (found.sha256 !== expected.sha256) {
      throw new BackupProblem(`${key} in ${this.name} is damaged: its checksum is wrong; use another backup`);
    }
  }

  /** Opens an object after checking its whole content, for callers that act on it while reading. */
  async *openChecked(key: string, expected: Measure): AsyncGenerator<Uint8Array> {
    for await (const _ of this.open(key, expected));
    yield* this.open(key, expected);
  }

  async #read(key: string): Promise<AsyncIterable<Uint8Array>> {
    const stored = await this.#target.open(key);
    if (stored === null) throw new BackupProblem(`${key} is missing in ${this.name}; use another backup`);
    return this.#key ? openSealedStream(stored, this.#key, key) : stored;
  }

  async finish(manifest: BackupManifest): Promise<void> {
    await this.put(manifestKey(manifest.id), once(writeManifest(manifest)));
  }

  /** Stores a small object, which unlike all others may be replaced. */
  async putText(key: string, content: string): Promise<void> {
    await this.put(key, once(content));
  }

  /** Rejects with `BackupProblem` if it does not exist or is damaged. */
  async readText(key: string): Promise<string> {
    return text(await this.#read(key));
  }

  /** The keys of all objects below a key. */
  async listKeys(key: string): Promise<string[]> {
    return this.#target.list(key);
  }

  async remove(key: string): Promise<void> {
    await this.#target.remove(key);
  }

  /** Turns a finished backup into an unfinished one, as the first step of its removal. */
  async unfinish(id: string): Promise<void> {
    await this.#target.remove(manifestKey(id));
  }

  /** The ids of finished and of unfinished backups, oldest first. */
  async list(): Promise<{ finished: string[]; unfinished: string[] }> {
    const ids = (await this.#target.listBackups()).toSorted();
    const sizes = await Promise.all(ids.map((id) => this.#target.size(manifestKey(id))));
    const isFinished = (_: string, index: number) => sizes[index] !== null;
    return { finished: ids.filter(isFinished), unfinished: ids.filter((_, index) => sizes[index] === null) };
  }

  /** The manifest of a finished backup; without an id, of the newest. Rejects with `BackupProblem` if there is none. */
  async find(id: string | null): Promise<BackupManifest> {
    const { finished, unfinished } = await this.list();
    const chosen = id ?? finished.at(-1);
    if (chosen !== undefined && finished.includes(chosen)) return this.read(chosen);
    if (id !== null && !unfinished.includes(id)) {
      throw new BackupProblem(`${this.name} has no backup ${id}; it has ${finished.join(', ') || 'none'}`);
    }
    throw new BackupProblem(
      id === null && unfinished.length === 0
        ? `${this.name} has no backup`
        : `backup ${id ?? unfinished.join(', ')} in ${this.name} was interrupted and is not complete; make a new one`,
    );
  }

  /** The manifest of a finished backup. */
  async read(id: string): Promise<BackupManifest> {
    return readManifest(await this.readText(manifestKey(id)), `backup ${id} in ${this.name}`);
  }
}

function manifestKey(id: string): string {
  return `${backupsKey}/${id}/manifest.json`;
}

function readHeader(content: string, name: string): KeyRecipe | null {
  try {
    return headerSchema.parse(JSON.parse(content)).encryption;
  } catch (error) {
    throw new BackupProblem(`${name}: ${headerKey} is damaged or of a newer version of errand`, { cause: error });
  }
}

async function openKey(name: string, recipe: KeyRecipe | null, passphrase: string | null): Promise<Buffer | null> {
  if (recipe === null) {
    if (passphrase === null) return null;
    throw new BackupProblem(`the backups in ${name} are not encrypted; unset ${passphraseSetting}, or choose another target`);
  }
  if (passphrase === null) throw new BackupProblem(`the backups in ${name} are encrypted; set ${passphraseSetting}_FILE`);
  const key = await findKey(passphrase, recipe);
  if (key === null) throw new BackupProblem(`${passphraseSetting} is not the passphrase of the backups in ${name}`);
  return key;
}
