import { decodeText } from '../files/decode-text.ts';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { useFile } from '../files/use-file.ts';
import { PageView } from './page-view.tsx';

const maxBytes = 20_000_000;

/** A page that an agent wrote. */
export function PagePreview(view: PreviewViewProps) {
  const { value, error } = useFile('text', view.file, { maxBytes }, (bytes) => ({ text: decodeText(bytes), isCut: false }));
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  return <PageView file={view.file} html={value.text} />;
}
