/** The type of a recording by its first bytes, as providers of speech models name it. */
export type AudioType =
  | 'audio/wav'
  | 'audio/mpeg'
  | 'audio/aac'
  | 'audio/ogg'
  | 'audio/flac'
  | 'audio/mp4'
  | 'audio/webm'
  | 'audio/aiff'
  | 'audio/amr';

type Mark = readonly [type: AudioType, offset: number, bytes: string];

const marks: readonly Mark[] = [
  ['audio/wav', 8, 'WAVE'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/mp4', 4, 'ftyp'],
  ['audio/webm', 0, '\u001aE\u00df\u00a3'],
  ['audio/aiff', 8, 'AIFF'],
  ['audio/aiff', 8, 'AIFC'],
  ['audio/amr', 0, '#!AMR'],
  ['audio/mpeg', 0, 'ID3'],
];

/** Reads a frame header of MP3 or AAC. Both begin with eleven set bits; the layer after the version is 0 only for AAC. */
function readFrameType(bytes: Uint8Array): AudioType | null {
  const [first = 0, second = 0] = bytes;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  if ((second & 0xf6) === 0xf0) return 'audio/aac';
  const layer = second & 0x06;
  // Only the two layers that are in use: UTF-16 byte order marks look like the third.
  return (layer === 2 || layer === 4) && (second & 0x18) !== 0x08 ? 'audio/mpeg' : null;
}

/** The type of a recording by its bytes, whatever its name; null for other files. Videos count: they have a sound track. */
export function readAudioType(bytes: Uint8Array): AudioType | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  return marks.find(([, offset, mark]) => start.startsWith(mark, offset))?.[0] ?? readFrameType(bytes);
}
