import type { PreviewFile } from '../files/preview-file.ts';

/** The props of every preview. */
export interface PreviewViewProps {
  file: PreviewFile;
  /** Refreshes the file's URL, which is valid for 48 hours; absent where that is impossible. */
  onRefresh?: () => unknown;
}
