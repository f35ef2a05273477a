import { useMemo, useRef } from 'react';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { useFile } from '../files/use-file.ts';
import { useSize } from '../panel/use-size.ts';
import { renderWordDocument } from './document-page.ts';
import { PreviewFrame } from './preview-frame.tsx';

const maxBytes = 20_000_000;
/** Horizontal margin of the pages. */
const margin = 48;

/** A Word document as printed pages. */
export function DocumentPreview(view: PreviewViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const { width } = useSize(place);
  const { value, error } = useFile('document', view.file, { maxBytes }, (bytes) => renderWordDocument(bytes));
  const html = useMemo(() => {
    if (!value) return '';
    // Pages wider than the space are scaled down, in steps so that dragging a border does not rerender them all the time.
    const fitting = value.width > 0 && width > 0 ? Math.min(1, Math.floor((width / (value.width + margin)) * 20) / 20) : 1;
    return value.html.replace('</head>', `<style>body{zoom:${Math.max(0.3, fitting)}}</style></head>`);
  }, [value, width]);
  if (error) return <PreviewProblem {...view} error={error} />;
  return (
    <div ref={place} className="flex min-h-0 flex-1 flex-col bg-hover">
      {value ? (
        <PreviewFrame fileUrl={view.file.url} html={html} title={view.file.filename} className="h-full w-full flex-1" />
      ) : (
        <PreviewLoading />
      )}
    </div>
  );
}
