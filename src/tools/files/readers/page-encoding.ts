/** The encoding declared by the server or the page; undeclared pages are mostly UTF-8. */
export function decodePage(bytes: Uint8Array, contentType = ''): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2048)).toString('latin1');
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb;
  const named = /charset=["']?([\w-]+)/i.exec(contentType)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1];
  try {
    return new TextDecoder(isMarked ? 'utf-8' : (named ?? 'utf-8')).decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}
