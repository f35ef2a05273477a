import { MoveHorizontal, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { PreviewLoading } from '../preview-loading.tsx';
import { PreviewProblem } from '../preview-problem.tsx';
import type { PreviewViewProps } from '../preview-view.ts';
import { ToolBar, ToolButton } from '../tool-bar.tsx';
import { useFile } from '../use-file.ts';
import { useSize } from '../use-size.ts';
import { openPdf, type PdfDocument } from './pdf-document.ts';
import { PdfPage } from './pdf-page.tsx';
import { ScrollRegion } from '../scroll-region.tsx';

const maxBytes = 50_000_000;
const mostPages = 2_000;
const steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const margin = 32;
/** Points are 1/72 inch, pixels 1/96. */
const naturalScale = 96 / 72;

/** A PDF file, page below page. */
export function PdfPreview(view: PreviewViewProps) {
  const { value, error } = useFile('bytes', view.file, { maxBytes }, (bytes) => bytes);
  const [opened, setOpened] = useState<{ document: PdfDocument } | { problem: unknown } | null>(null);
  useEffect(() => {
    if (!value) return undefined;
    let isWanted = true;
    let document: PdfDocument | null = null;
    // The library takes the bytes away with it.
    openPdf(value.slice()).then(
      (opening) => {
        if (!isWanted) return opening.close();
        document = opening;
        return setOpened({ document });
      },
      (problem: unknown) => isWanted && setOpened({ problem }),
    );
    return () => {
      isWanted = false;
      document?.close();
      setOpened(null);
    };
  }, [value]);
  if (error) return <PreviewProblem {...view} error={error} />;
  if (opened && 'problem' in opened) return <PreviewProblem {...view} error={opened.problem} />;
  if (!opened) return <PreviewLoading />;
  return <PdfPages document={opened.document} name={view.file.filename} />;
}

/** The page that the upper part of the view is in. */
function findPage(scroller: HTMLElement): number {
  const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 3;
  const pages = [...scroller.querySelectorAll<HTMLElement>('[data-page]')];
  const shown = pages.findLast((page) => page.getBoundingClientRect().top <= middle);
  return Number(shown?.dataset['page'] ?? 1);
}

function PdfPages({ document, name }: { document: PdfDocument; name: string }) {
  const { previews } = useText();
  const format = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const { width } = useSize(scroller);
  const [zoom, setZoom] = useState<number | null>(null);
  const [at, setAt] = useState(1);
  const fitting = Math.min(1.25, Math.max(0.2, (width - margin) / (document.width * naturalScale)));
  const shown = zoom ?? Math.round(fitting * 100) / 100;
  const count = Math.min(document.pdf.numPages, mostPages);
  const change = (next: number | undefined) => next !== undefined && setZoom(next);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ToolBar label={previews.pageTools}>
        <span role="status" className="px-2 text-xs text-soft tabular-nums">
          {previews.page(at, document.pdf.numPages)}
        </span>
        <span className="ml-auto flex items-center gap-1">
          <ToolButton label={previews.zoomOut} onClick={() => change(steps.findLast((step) => step < shown))}>
            <ZoomOut />
          </ToolButton>
          <span className="min-w-12 text-center text-xs text-soft tabular-nums">{format.percent(shown)}</span>
          <ToolButton label={previews.zoomIn} onClick={() => change(steps.find((step) => step > shown))}>
            <ZoomIn />
          </ToolButton>
          <ToolButton label={previews.fit} isPressed={zoom === null} onClick={() => setZoom(null)}>
            <MoveHorizontal />
          </ToolButton>
        </span>
      </ToolBar>
      <ScrollRegion
        ref={scroller}
        label={name}
        className="min-h-0 flex-1 overflow-auto bg-hover p-4"
        onScroll={({ currentTarget }) => setAt(findPage(currentTarget))}
      >
        {width > 0 &&
          Array.from({ length: count }, (_, index) => (
            <PdfPage key={index} document={document} number={index + 1} scale={shown * naturalScale} />
          ))}
      </ScrollRegion>
    </div>
  );
}
