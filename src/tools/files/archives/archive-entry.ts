/** `locked`: encrypted; `special`: a device, a pipe or anything else without content. */
export type EntryKind = 'file' | 'folder' | 'link' | 'special' | 'locked';

/** One entry as the archive declares it; do not trust any of it. */
export interface ArchiveEntry {
  name: string;
  kind: EntryKind;
  declaredBytes: number;
  /** Opens the content of the entry, once. In sequential archives, this works only until the next entry is requested. */
  open(): AsyncIterable<Buffer>;
}
