import type { PreviewFile } from '../files/preview-file.ts';

/** What every kind of preview is given. */
export interface PreviewViewProps {
  file: PreviewFile;
  /** Refreshes the file's URL, which is valid for 48 hours; absent where that is impossible. */
  onRefresh?: () => unknown;
}
