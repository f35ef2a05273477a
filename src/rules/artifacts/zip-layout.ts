/** A file of a streamed archive: stored uncompressed, because most files are already compressed. */
export interface ZipFile {
  /** Relative, with "/" between folders. */
  name: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modifiedAtMs: number;
}

/** A written file, as listed in the directory at the end. */
export interface ZipEntry extends ZipFile {
  crc: number;
  /** Where its header begins. */
  start: number;
}

/** The size limit of the format without its 64-bit extension. Its limit of 65,535 files is above what an archive here may hold. */
export const zipMostBytes = 0xffff_ffff;

/** Names are UTF-8 (bit 11), and the checksum follows the bytes (bit 3). */
const flags = 0x0808;
const version = 20;
const headerBytes = 30;
const descriptorBytes = 16;
const directoryBytes = 46;
const endBytes = 22;

/** Two-second steps since 1980, as in file systems of that time. */
function dosTime(timeMs: number): { time: number; date: number } {
  const at = new Date(Math.max(timeMs, Date.UTC(1980, 0, 1)));
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((Math.min(at.getUTCFullYear(), 2107) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

/** The fields both before a file and in the directory. */
function writeFields(target: Buffer, at: number, { name, bytes, modifiedAtMs }: ZipFile, crc: number): void {
  const { time, date } = dosTime(modifiedAtMs);
  target.writeUInt16LE(version, at);
  target.writeUInt16LE(flags, at + 2);
  target.writeUInt16LE(0, at + 4);
  target.writeUInt16LE(time, at + 6);
  target.writeUInt16LE(date, at + 8);
  target.writeUInt32LE(crc, at + 10);
  target.writeUInt32LE(bytes, at + 14);
  target.writeUInt32LE(bytes, at + 18);
  target.writeUInt16LE(Buffer.byteLength(name), at + 22);
}

/** The header before a file's bytes. */
export function writeZipHeader(file: ZipFile): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(0x0403_4b50, 0);
  writeFields(header, 4, file, 0);
  return Buffer.concat([header, Buffer.from(file.name)]);
}

/** The descriptor after a file's bytes. */
export function writeZipDescriptor(crc: number, bytes: number): Buffer {
  const descriptor = Buffer.alloc(descriptorBytes);
  descriptor.writeUInt32LE(0x0807_4b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(bytes, 8);
  descriptor.writeUInt32LE(bytes, 12);
  return descriptor;
}

function writeDirectoryEntry({ crc, start, ...file }: ZipEntry): Buffer {
  const entry = Buffer.alloc(directoryBytes);
  entry.writeUInt32LE(0x0201_4b50, 0);
  // Created on a system with file permissions, so that unpacked files are readable.
  entry.writeUInt16LE((3 << 8) | version, 4);
  writeFields(entry, 6, file, crc);
  entry.writeUInt32LE(0o100644 * 0x10000, 38);
  entry.writeUInt32LE(start, 42);
  return Buffer.concat([entry, Buffer.from(file.name)]);
}

/** The directory and end record of the archive. */
export function writeZipEnd(entries: readonly ZipEntry[], start: number): Buffer {
  const directory = Buffer.concat(entries.map(writeDirectoryEntry));
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([directory, end]);
}

/** The length of the whole archive. */
export function measureZip(files: readonly Pick<ZipFile, 'name' | 'bytes'>[]): number {
  const each = files.map(
    ({ name, bytes }) => bytes + headerBytes + descriptorBytes + directoryBytes + 2 * Buffer.byteLength(name),
  );
  return each.reduce((sum, length) => sum + length, endBytes);
}
