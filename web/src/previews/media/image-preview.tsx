import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { PreviewFault } from '../files/preview-fault.ts';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import { ToolBar, ToolButton } from '../panel/tool-bar.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';

/** The background of transparent images: light in both themes, because most are made for light pages. */
const checkered = 'bg-[repeating-conic-gradient(#e9e6e0_0_25%,#fff_0_50%)] bg-[length:16px_16px]';
const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

/** An image, fitted or zoomed. SVG is shown as an image too, so nothing in it runs. */
export function ImagePreview(view: PreviewViewProps) {
  const { previews } = useText();
  const format = useFormat();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <PreviewProblem {...view} error={new PreviewFault('unreachable')} />;
  const shown = zoom ?? 1;
  const change = (next: number | undefined) => next !== undefined && setZoom(next);
  const scaled = zoom !== null && size ? { width: size.width * zoom, height: size.height * zoom, maxWidth: 'none' } : {};
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ToolBar label={previews.imageTools}>
        <ToolButton label={previews.zoomOut} onClick={() => change(steps.findLast((step) => step < shown))}>
          <ZoomOut />
        </ToolButton>
        <span className="min-w-12 text-center text-xs tabular-nums text-soft">
          {zoom === null ? previews.fitted : format.percent(zoom)}
        </span>
        <ToolButton label={previews.zoomIn} onClick={() => change(steps.find((step) => step > shown))}>
          <ZoomIn />
        </ToolButton>
        <ToolButton label={previews.fit} isPressed={zoom === null} onClick={() => setZoom(null)}>
          <Maximize />
        </ToolButton>
        {size && (
          <span className="ml-auto text-xs tabular-nums text-soft">
            {format.number(size.width)} × {format.number(size.height)}
          </span>
        )}
      </ToolBar>
      <div
        role="group"
        aria-label={view.file.filename}
        // If larger than the space, it is scrolled with the arrow keys.
        tabIndex={zoom === null ? undefined : 0}
        className={joinClasses('flex min-h-0 flex-1 p-4', zoom === null ? 'overflow-hidden' : 'overflow-auto')}
      >
        {!size && <PreviewLoading />}
        <img
          src={view.file.url}
          alt={view.file.filename}
          referrerPolicy="no-referrer"
          className={joinClasses(
            'm-auto',
            checkered,
            zoom === null && 'max-h-full max-w-full object-contain',
            !size && 'absolute opacity-0',
          )}
          style={scaled}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth || 300, height: currentTarget.naturalHeight || 150 })
          }
          onError={() => setFailed(true)}
        />
      </div>
    </div>
  );
}
