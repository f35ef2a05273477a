import { randomBytes } from 'node:crypto';
import { argon2id } from '@errand/base/secrets/passwords.ts';
import { SealBroken, SealedBox } from '@errand/base/secrets/sealed-box.ts';

/** RFC 9106, second recommendation: 64 MiB and three passes. The cost arises once per command. */
const cost = { memory: 65_536, passes: 3, parallelism: 4 };
const [keyBytes, saltBytes] = [32, 16];
const proof = { text: 'errand backup', place: 'passphrase' };

/** How the key of encrypted backups is derived from a passphrase; stored with them in plain text. */
export interface KeyRecipe {
  kdf: 'argon2id';
  memory: number;
  passes: number;
  parallelism: number;
  salt: string;
  /** Can only be decrypted with the right key. */
  proof: string;
}

async function derive(passphrase: string, { memory, passes, parallelism, salt }: Omit<KeyRecipe, 'proof'>): Promise<Buffer> {
  const message = passphrase.normalize('NFKC');
  const nonce = Buffer.from(salt, 'base64url');
  return Buffer.from(await argon2id({ message, nonce, memory, passes, parallelism, tagLength: keyBytes }));
}

function boxOf(key: Buffer): SealedBox {
  return new SealedBox(key.toString('base64url'));
}

/** Derives a new key from a passphrase. */
export async function makeKey(passphrase: string): Promise<{ key: Buffer; recipe: KeyRecipe }> {
  const recipe = { kdf: 'argon2id' as const, ...cost, salt: randomBytes(saltBytes).toString('base64url') };
  const key = await derive(passphrase, recipe);
  return { key, recipe: { ...recipe, proof: boxOf(key).seal(proof.text, proof.place) } };
}

/** The key that a recipe describes; null if the passphrase is wrong. */
export async function findKey(passphrase: string, recipe: KeyRecipe): Promise<Buffer | null> {
  const key = await derive(passphrase, recipe);
  try {
    boxOf(key).open(recipe.proof, proof.place);
    return key;
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
