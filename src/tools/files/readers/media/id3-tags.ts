const names: Record<string, string> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TDRC: 'date',
  TYER: 'date',
  TCON: 'genre',
};

/** Seven bits per byte. */
function readSyncsafe(bytes: Buffer, at: number): number {
  let value = 0;
  for (let index = at; index < at + 4; index++) value = value * 128 + ((bytes[index] ?? 0) & 0x7f);
  return value;
}

function decode(bytes: Buffer): string {
  const body = bytes.subarray(1);
  switch (bytes[0]) {
    case 1:
      return new TextDecoder(body[0] === 0xfe ? 'utf-16be' : 'utf-16le').decode(body);
    case 2:
      return new TextDecoder('utf-16be').decode(body);
    case 3:
      return body.toString('utf8');
    default:
      return body.toString('latin1');
  }
}

/** Where the audio starts after an ID3v2 tag. */
export function findId3End(bytes: Buffer): number {
  return bytes.toString('latin1', 0, 3) === 'ID3' && bytes.length >= 10 ? 10 + readSyncsafe(bytes, 6) : 0;
}

/** The text fields of an ID3v2.3 or ID3v2.4 tag. */
export function* readId3(bytes: Buffer): Generator<[string, string]> {
  const end = Math.min(findId3End(bytes), bytes.length);
  const version = bytes[3] ?? 0;
  if (version < 3) return;
  for (let at = 10; at + 10 <= end; ) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = version === 3 ? bytes.readUInt32BE(at + 4) : readSyncsafe(bytes, at + 4);
    if (!/^[A-Z][A-Z0-9]{3}$/.test(id) || size === 0) return;
    const name = names[id];
    if (name) yield [name, decode(bytes.subarray(at + 10, Math.min(at + 10 + size, end, at + 4000)))];
    at += 10 + size;
  }
}
