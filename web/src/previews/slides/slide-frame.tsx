import { PreviewFrame, type PreviewFrameProps } from '../pages/preview-frame.tsx';

/** The size of a slide in pixels of its page. */
export const slideWidth = 1280;
export const slideHeight = 720;

export interface SlideFrameProps
  extends Pick<PreviewFrameProps, 'fileUrl' | 'html' | 'onKey' | 'onOutline' | 'tabIndex' | 'title'> {
  /** Index of the slide, from 0. */
  slide: number;
  /** Display width of the slide; the page is scaled to fit. */
  width: number;
}

/** One slide of a deck at any size. */
export function SlideFrame({ width, ...frame }: SlideFrameProps) {
  const scale = width / slideWidth;
  return (
    <div className="overflow-hidden bg-white" style={{ width, height: slideHeight * scale }}>
      <div style={{ width: slideWidth, height: slideHeight, transform: `scale(${scale})`, transformOrigin: '0 0' }}>
        <PreviewFrame {...frame} className="block h-full w-full" />
      </div>
    </div>
  );
}
