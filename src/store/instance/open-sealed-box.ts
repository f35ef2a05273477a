import { join } from 'node:path';
import { SealBroken, SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Database } from '../db/database.ts';
import { setInstanceValue } from './instance-values.ts';
import { ensureSecret, secretFile } from './secret-file.ts';

/** A text sealed with the instance's secret; a process that can open it has the same secret. */
const proof = { name: 'secret_proof', text: 'errand' };

export interface BoxOptions {
  /** ERRAND_SECRET, null for the one stored in the data folder. */
  secret: string | null;
  /** ERRAND_SECRET_PREVIOUS, which still opens what it has sealed; null for none. */
  previous?: string | null;
  dataDir: string;
  /** Whether processes with other data folders may use the same database. */
  isShared: boolean;
}

async function ensureSecretIn(dataDir: string): Promise<string> {
  try {
    return await ensureSecret(dataDir);
  } catch (error) {
    throw new StartFault(`ERRAND_DATA_DIR: cannot keep a secret in ${dataDir}: ${(error as Error).message}`, error);
  }
}

/** The name of the value that tells whether a secret is the instance's. */
export const secretProofName = proof.name;

/** Whether the value of `secretProofName` was sealed with this secret. */
export function isSecretOf(sealed: string, secret: string): boolean {
  try {
    new SealedBox(secret).open(sealed, proof.name);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

/**
 * The box that seals keys and tokens of this instance at rest. All its processes need the same secret. A process with a different one is
 * rejected. A process with none, on a database shared with processes that store theirs elsewhere, gets no box (null): it can do everything
 * that does not need these keys.
 */
export async function openBox(
  database: Database,
  { secret, previous = null, dataDir, isShared }: BoxOptions,
): Promise<SealedBox | null> {
  const box = new SealedBox(secret ?? (await ensureSecretIn(dataDir)), previous);
  const sealed = await database.run(setInstanceValue, { name: proof.name, value: box.seal(proof.text, proof.name) });
  try {
    box.open(sealed, proof.name);
    return box;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    if (secret === null && isShared) return null;
    const remedy = `set it to the text that was used before (without ERRAND_SECRET, that of the file ${join(dataDir, secretFile)}), or name that in ERRAND_SECRET_PREVIOUS`;
    throw new StartFault(`ERRAND_SECRET: the keys in the database are sealed with another secret; ${remedy}`);
  }
}
