import { Markdown } from '../markdown/markdown.tsx';
import { CutNote } from './panel/cut-note.tsx';
import { decodeText } from './files/decode-text.ts';
import { EmptyFile } from './panel/empty-file.tsx';
import { PreviewLoading } from './panel/preview-loading.tsx';
import { PreviewProblem } from './panel/preview-problem.tsx';
import type { PreviewViewProps } from './panel/preview-view.ts';
import { useFile } from './files/use-file.ts';
import { ScrollRegion } from './panel/scroll-region.tsx';

const maxBytes = 400_000;

/** Rendered Markdown. */
export function MarkdownPreview(view: PreviewViewProps) {
  const { value, error } = useFile('text', view.file, { maxBytes, canCut: true }, (bytes, isCut) => ({
    text: decodeText(bytes),
    isCut,
  }));
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  if (value.text.trim() === '') return <EmptyFile file={view.file} />;
  return (
    <ScrollRegion label={view.file.filename} className="min-h-0 flex-1 overflow-auto">
      {value.isCut && <CutNote />}
      <article dir="auto" className="mx-auto max-w-3xl px-5 py-6 sm:px-8">
        <Markdown text={value.text} />
      </article>
    </ScrollRegion>
  );
}
