import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { BackupProblem } from './backup-problem.ts';

const algorithm = 'aes-256-gcm';
const [keyBytes, saltBytes, ivBytes, tagBytes] = [32, 32, 12, 16];
const pieceBytes = 64 * 1024;

/** The size of the output of `sealStream` for this many bytes. */
export function sealedSize(bytes: number): number {
  return saltBytes + bytes + tagBytes * Math.max(1, Math.ceil(bytes / pieceBytes));
}

/** Every object has its own key, so a piece's number suffices as nonce. The last piece is marked, so a truncated stream does not open. */
function ivOf(index: number, isLast: boolean): Buffer {
  const iv = Buffer.alloc(ivBytes);
  iv.writeUIntBE(index, 5, 6);
  iv[11] = isLast ? 1 : 0;
  return iv;
}

function keyOf(master: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, salt, `errand backup ${name}`, keyBytes));
}

/** Pieces of `size` bytes, each with whether it is the last one, which may be shorter or empty. */
async function* inPieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<[piece: Buffer, isLast: boolean]> {
  let held = Buffer.alloc(0);
  for await (const chunk of source) {
    held = Buffer.concat([held, chunk]);
    let at = 0;
    for (; held.length - at > size; at += size) yield [held.subarray(at, at + size), false];
    held = held.subarray(at);
  }
  yield [held, true];
}

/** Encrypts a stream with AES-256-GCM, piece by piece. It can only be decrypted under the same name. */
export async function* sealStream(source: AsyncIterable<Uint8Array>, master: Buffer, name: string): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(saltBytes);
  const key = keyOf(master, salt, name);
  yield salt;
  let index = 0;
  for await (const [piece, isLast] of inPieces(source, pieceBytes)) {
    const cipher = createCipheriv(algorithm, key, ivOf(index++, isLast));
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

async function* withoutSalt(source: AsyncIterable<Uint8Array>, take: (salt: Buffer) => void): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < saltBytes) continue;
    take(head.subarray(0, saltBytes));
    yield head.subarray(saltBytes);
    head = null;
  }
}

/** Decrypts the output of `sealStream`. Rejects with `BackupProblem` at the first piece that was changed, swapped, or truncated. */
export async function* openSealedStream(
  source: AsyncIterable<Uint8Array>,
  master: Buffer,
  name: string,
): AsyncGenerator<Uint8Array> {
  let key: Buffer = Buffer.alloc(keyBytes);
  const body = withoutSalt(source, (salt) => (key = keyOf(master, salt, name)));
  let index = 0;
  for await (const [piece, isLast] of inPieces(body, pieceBytes + tagBytes)) {
    if (piece.length < tagBytes) throw new BackupProblem(`${name} is damaged: it is cut short`);
    const decipher = createDecipheriv(algorithm, key, ivOf(index++, isLast), { authTagLength: tagBytes });
    decipher.setAuthTag(piece.subarray(-tagBytes));
    try {
      yield Buffer.concat([decipher.update(piece.subarray(0, -tagBytes)), decipher.final()]);
    } catch (error) {
      throw new BackupProblem(`${name} is damaged: it was changed after it was written`, { cause: error });
    }
  }
}
