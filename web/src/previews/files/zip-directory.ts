import { PreviewFault } from './preview-fault.ts';

/** A zip entry as described by the directory. */
export interface ZipItem {
  name: string;
  /** Unpacked. */
  bytes: number;
  isFolder: boolean;
}

const mostItems = 10_000;

/** The offset of the end record, searched from the end because a comment may follow it. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - 65_535);
  for (let at = view.byteLength - 22; at >= lowest; at--) if (view.getUint32(at, true) === 0x0605_4b50) return at;
  throw new PreviewFault('broken');
}

/** The entries of a zip file according to its directory, without unpacking. Throws a `PreviewFault` for invalid files. */
export function readZipDirectory(bytes: Uint8Array): ZipItem[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const end = findEnd(view);
    const items: ZipItem[] = [];
    let at = view.getUint32(end + 16, true);
    const count = Math.min(view.getUint16(end + 10, true), mostItems);
    while (items.length < count && view.getUint32(at, true) === 0x0201_4b50) {
      const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
      const start = at + 46;
      const name = new TextDecoder().decode(bytes.subarray(start, start + (nameLength ?? 0)));
      items.push({ name, bytes: view.getUint32(at + 24, true), isFolder: name.endsWith('/') });
      at = start + (nameLength ?? 0) + (extraLength ?? 0) + (noteLength ?? 0);
    }
    return items;
  } catch (error) {
    throw error instanceof PreviewFault ? error : new PreviewFault('broken', error);
  }
}

/** The total unpacked size of a zip file; rejects more than `maxBytes`, because parsers hold all of it in memory. */
export function checkUnpackedSize(bytes: Uint8Array, maxBytes: number): number {
  const sum = readZipDirectory(bytes).reduce((total, item) => total + item.bytes, 0);
  if (sum > maxBytes) throw new PreviewFault('tooLarge');
  return sum;
}
