/** `locked`: encrypted; `special`: a device, a pipe or something else that is no content. */
export type EntryKind = 'file' | 'folder' | 'link' | 'special' | 'locked';

/** One entry as the archive declares it; do not trust any of it. */
export interface ArchiveEntry {
  name: string;
  kind: EntryKind;
  declaredBytes: number;
  /** Its content, once. In archives that are read in order, only until the next entry is asked for. */
  open(): AsyncIterable<Buffer>;
}
