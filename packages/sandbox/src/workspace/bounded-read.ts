import type { FileHandle } from 'node:fs/promises';
import { tooLarge } from './file-fault.ts';

/** Reads until the end or past the limit: a file that grows meanwhile must not exhaust our memory. */
export async function readBounded(file: FileHandle, path: string, limitBytes: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > limitBytes) throw tooLarge(path, size, limitBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(size - length, 0) + 1024);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks, length);
    length += bytesRead;
    if (length > limitBytes) throw tooLarge(path, null, limitBytes);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

const pieceBytes = 256 * 1024;

/** Chunk by chunk until the end; a file that grows meanwhile ends with a Fault at the limit. */
export async function* readPieces(file: FileHandle, path: string, limitBytes: number): AsyncGenerator<Uint8Array> {
  const { size } = await file.stat();
  if (size > limitBytes) throw tooLarge(path, size, limitBytes);
  for (let length = 0; ; ) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const { bytesRead } = await file.read(piece, 0, pieceBytes, null);
    if (bytesRead === 0) return;
    length += bytesRead;
    if (length > limitBytes) throw tooLarge(path, null, limitBytes);
    yield piece.subarray(0, bytesRead);
  }
}
