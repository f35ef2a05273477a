import { MoveHorizontal, ZoomIn, ZoomOut } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { ScrollRegion } from '../panel/scroll-region.tsx';
import { ToolBar, ToolButton } from '../panel/tool-bar.tsx';
import { useSize } from '../panel/use-size.ts';
import { PageNumber } from './page-number.tsx';
import type { PdfDocument } from './open-pdf.ts';
import { PdfPage } from './pdf-page.tsx';

const mostPages = 2_000;
const steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const margin = 32;
/** Points are 1/72 inch, pixels 1/96. */
const naturalScale = 96 / 72;

const listPages = (scroller: HTMLElement) => [...scroller.querySelectorAll<HTMLElement>('[data-page]')];

/** The page in the upper part of the view. */
function findPage(scroller: HTMLElement): number {
  const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 3;
  const pages = listPages(scroller);
  // Binary search: there may be thousands of pages, and this runs on every scroll event.
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const half = Math.ceil((low + high) / 2);
    if ((pages[half]?.getBoundingClientRect().top ?? 0) <= middle) low = half;
    else high = half - 1;
  }
  return low + 1;
}

/** The pages of an open PDF file, one below the other. */
export function PdfPages({ document, name }: { document: PdfDocument; name: string }) {
  const { previews } = useText();
  const format = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const { width } = useSize(scroller);
  const [zoom, setZoom] = useState<number | null>(null);
  const [at, setAt] = useState(1);
  const fitting = Math.min(1.25, Math.max(0.2, (width - margin) / (document.width * naturalScale)));
  const shown = zoom ?? Math.round(fitting * 100) / 100;
  const count = Math.min(document.pdf.numPages, mostPages);
  const go = (page: number) => {
    if (scroller.current) listPages(scroller.current)[page - 1]?.scrollIntoView({ block: 'start' });
  };
  const change = (next: number | null | undefined) => {
    if (next === undefined) return;
    flushSync(() => setZoom(next));
    // Zooming keeps the current page in view.
    if (at > 1) go(at);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ToolBar label={previews.pageTools}>
        <PageNumber at={at} count={document.pdf.numPages} onGo={go} />
        <span className="ml-auto flex items-center gap-1">
          <ToolButton label={previews.zoomOut} onClick={() => change(steps.findLast((step) => step < shown))}>
            <ZoomOut />
          </ToolButton>
          <span className="min-w-12 text-center text-xs text-soft tabular-nums">{format.percent(shown)}</span>
          <ToolButton label={previews.zoomIn} onClick={() => change(steps.find((step) => step > shown))}>
            <ZoomIn />
          </ToolButton>
          <ToolButton label={previews.fit} isPressed={zoom === null} onClick={() => change(null)}>
            <MoveHorizontal />
          </ToolButton>
        </span>
      </ToolBar>
      <ScrollRegion
        ref={scroller}
        label={name}
        className="min-h-0 flex-1 scroll-p-4 overflow-auto bg-hover p-4"
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
