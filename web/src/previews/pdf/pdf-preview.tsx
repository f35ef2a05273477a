import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { useFile } from '../files/use-file.ts';
import { PdfPages } from './pdf-pages.tsx';
import { usePdf } from './use-pdf.ts';

const maxBytes = 50_000_000;

/** A PDF file, one page below another. */
export function PdfPreview(view: PreviewViewProps) {
  const { value, error } = useFile('bytes', view.file, { maxBytes }, (bytes) => bytes);
  const opened = usePdf(value);
  const problem = error ?? opened?.problem;
  if (problem) return <PreviewProblem {...view} error={problem} />;
  if (!opened?.document) return <PreviewLoading />;
  return <PdfPages document={opened.document} name={view.file.filename} />;
}
