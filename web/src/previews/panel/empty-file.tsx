import { useText } from '../../text/locale.ts';
import { FileFacts } from './file-facts.tsx';
import type { PreviewFile } from '../files/preview-file.ts';

/** Shown for an empty file. */
export function EmptyFile({ file }: { file: PreviewFile }) {
  const { previews } = useText();
  return <FileFacts file={file}>{previews.emptyFile}</FileFacts>;
}
