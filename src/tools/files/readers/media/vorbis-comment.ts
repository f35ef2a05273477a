const names = new Map([
  ['title', 'title'],
  ['artist', 'artist'],
  ['album', 'album'],
  ['date', 'date'],
  ['genre', 'genre'],
  ['comment', 'comment'],
  ['description', 'comment'],
]);
const most = 100;

/** The comments of Ogg and FLAC files: length-prefixed texts after the name of the encoder. */
export function* readVorbisComment(bytes: Buffer, from: number): Generator<[string, string]> {
  if (from + 4 > bytes.length) return;
  let at = from + 4 + bytes.readUInt32LE(from);
  if (at + 4 > bytes.length) return;
  const count = Math.min(bytes.readUInt32LE(at), most);
  at += 4;
  for (let index = 0; index < count && at + 4 <= bytes.length; index++) {
    const length = bytes.readUInt32LE(at);
    const text = bytes.toString('utf8', at + 4, Math.min(at + 4 + length, at + 2000, bytes.length));
    at += 4 + length;
    const equals = text.indexOf('=');
    const name = names.get(text.slice(0, Math.max(equals, 0)).toLowerCase());
    if (name !== undefined) yield [name, text.slice(equals + 1)];
  }
}
