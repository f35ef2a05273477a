import { useText } from '../../text/locale.ts';
import { PdfPages } from './pdf-pages.tsx';
import { usePdf } from './use-pdf.ts';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { usePdfConversion } from './use-pdf-conversion.ts';

/** An office document, as the PDF that the service converts it to. */
export function ConvertedPreview(view: PreviewViewProps) {
  const { previews } = useText();
  const { value, error } = usePdfConversion(view.file);
  const opened = usePdf(value);
  const problem = error ?? opened?.problem;
  if (problem) return <PreviewProblem {...view} error={problem} />;
  if (!opened?.document) return <PreviewLoading label={previews.printing} />;
  return <PdfPages document={opened.document} name={view.file.filename} />;
}
