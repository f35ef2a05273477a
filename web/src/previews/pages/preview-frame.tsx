import { useEffect, useRef, useState } from 'react';
import { joinClasses } from '../../ui/display/class-names.ts';

/** What a page of slides says of each of them. */
export interface SlideOutline {
  title: string;
  notes: string;
}

export interface PreviewFrameProps {
  /** Where the file came from: rooms are on the content origin. */
  fileUrl: string;
  /** The whole page to show, as it was written. */
  html: string;
  /** For screen readers. */
  title: string;
  /** Shows this slide of it alone, from 0. */
  slide?: number;
  /** Told when `slide` is given: the slides there are; none where the page is no deck. */
  onOutline?: (slides: readonly SlideOutline[]) => void;
  /** Whether the scripts of the page run, in nobody's origin and without a network. */
  isLive?: boolean;
  /** A key that was pressed inside. */
  onKey?: (key: string) => void;
  className?: string;
  tabIndex?: number;
}

/** What a room says. Whoever is in it may say anything, so nothing of it is taken for more than text. */
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

  // The page is sent once; which of its slides is shown may change often. A frame of nobody's origin can only be addressed by
  // everybody's; it is ours by its address.
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
      // Frames of another color scheme than their page's have a ground of their own.
      className={joinClasses('scheme-light', className)}
      tabIndex={tabIndex}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  );
}
