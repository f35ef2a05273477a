import { useEffect, useRef, useState } from 'react';
import { joinClasses } from '../../ui/display/class-names.ts';

/** The outline of one slide, as reported by the page. */
export interface SlideOutline {
  title: string;
  notes: string;
}

export interface PreviewFrameProps {
  /** The file's URL: preview frames are on the content origin. */
  fileUrl: string;
  /** The complete source of the page. */
  html: string;
  /** Title for screen readers. */
  title: string;
  /** Shows only this slide, from 0. */
  slide?: number;
  /** Called with the page's slides if `slide` is given; none if the page is not a deck. */
  onOutline?: (slides: readonly SlideOutline[]) => void;
  /** Whether the page's scripts run, in an opaque origin without a network. */
  isLive?: boolean;
  /** Called for keys pressed inside. */
  onKey?: (key: string) => void;
  className?: string;
  tabIndex?: number;
}

/** A message from the frame. Its content is untrusted, so everything is treated as text. */
function readOutline(said: unknown): SlideOutline[] | null {
  if (!Array.isArray(said)) return null;
  return said.slice(0, 300).map((slide: Partial<Record<keyof SlideOutline, unknown>> | null) => ({
    title: typeof slide?.title === 'string' ? slide.title : '',
    notes: typeof slide?.notes === 'string' ? slide.notes : '',
  }));
}

/** Shows an untrusted page, in a frame without this origin and without network access. */
export function PreviewFrame({
  fileUrl,
  html,
  title,
  slide,
  onOutline,
  isLive = false,
  onKey,
  className,
  tabIndex,
}: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [readyAddress, setReadyAddress] = useState('');
  const address = new URL(isLive ? '/room/live' : '/room', fileUrl).href;
  const isReady = readyAddress === address;

  useEffect(() => {
    const listen = (event: MessageEvent<{ room?: unknown; key?: unknown; outline?: unknown } | null>) => {
      if (event.source === null || event.source !== frame.current?.contentWindow) return;
      const outline = readOutline(event.data?.outline);
      if (event.data?.room === 'ready') setReadyAddress(address);
      else if (outline) onOutline?.(outline);
      else if (typeof event.data?.key === 'string') onKey?.(event.data.key);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [onKey, onOutline, address]);

  // The page is sent once; the current slide may change often. A frame with an opaque origin can only be addressed with `*`; its URL makes
  // it ours.
  const sent = useRef({ address: '', html: '' });
  useEffect(() => {
    if (!isReady) return;
    const isThere = sent.current.address === address && sent.current.html === html;
    sent.current = { address, html };
    frame.current?.contentWindow?.postMessage({ ...(!isThere && { html }), slide }, '*');
  }, [isReady, address, html, slide]);

  return (
    <iframe
      key={address}
      ref={frame}
      src={address}
      title={title}
      // Frames whose color scheme differs from their page's get an opaque background.
      className={joinClasses('scheme-light', className)}
      tabIndex={tabIndex}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  );
}
