import { ChevronLeft, ChevronRight, Maximize, NotebookText } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { ToolBar, ToolButton } from '../panel/tool-bar.tsx';

interface SlideToolsProps {
  at: number;
  count: number;
  onMove: (step: number) => void;
  /** Null for a deck without notes. */
  hasNotes: boolean | null;
  onNotes: () => void;
  onFullScreen: () => void;
}

/** Navigation, notes, and full screen. */
export function SlideTools({ at, count, onMove, hasNotes, onNotes, onFullScreen }: SlideToolsProps) {
  const { previews } = useText();
  return (
    <ToolBar label={previews.slideTools}>
      <ToolButton label={previews.previousSlide} isDisabled={at === 0} onClick={() => onMove(-1)}>
        <ChevronLeft />
      </ToolButton>
      <span role="status" className="min-w-14 text-center text-xs text-soft tabular-nums">
        {previews.slide(at + 1, Math.max(1, count))}
      </span>
      <ToolButton label={previews.nextSlide} isDisabled={at >= count - 1} onClick={() => onMove(1)}>
        <ChevronRight />
      </ToolButton>
      <span className="ml-auto flex gap-1">
        {hasNotes !== null && (
          <ToolButton label={previews.notes} isPressed={hasNotes} onClick={onNotes}>
            <NotebookText />
          </ToolButton>
        )}
        <ToolButton label={previews.fullScreen} onClick={onFullScreen}>
          <Maximize />
        </ToolButton>
      </span>
    </ToolBar>
  );
}
