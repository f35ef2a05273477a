import type { PreviewFile } from '../files/preview-file.ts';

/** What every kind of preview is given. */
export interface PreviewViewProps {
  file: PreviewFile;
  /** Gets the file's address anew, which works for 48 hours; absent where nobody can. */
  onRefresh?: () => unknown;
}
