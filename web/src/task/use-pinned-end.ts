import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Whoever is so near to the end wants to see what comes. Pixels. */
const nearEnd = 64;

export interface PinnedEnd {
  /** Whether the end is in sight and is kept there. */
  isPinned: boolean;
  /** Goes to the end and stays there. */
  pin(): void;
}

/**
 * Keeps a scroller at its end while its content grows, until somebody scrolls up. `contentRef` is what grows. Growth alone never
 * unpins: only a movement upwards does.
 */
export function usePinnedEnd(
  scrollerRef: RefObject<HTMLElement | null>,
  contentRef: RefObject<HTMLElement | null>,
  isReady: boolean,
): PinnedEnd {
  const [isPinned, setPinned] = useState(true);
  const pinned = useRef(true);
  const lastTop = useRef(0);
  const goToEnd = useCallback(() => {
    const scroller = scrollerRef.current;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  }, [scrollerRef]);
  const set = useCallback((value: boolean) => {
    pinned.current = value;
    setPinned(value);
  }, []);
  useLayoutEffect(() => {
    if (isReady && pinned.current) goToEnd();
  });
  useEffect(() => {
    const scroller = scrollerRef.current;
    const content = contentRef.current;
    if (!isReady || !scroller || !content) return undefined;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      if (scrollHeight - scrollTop - clientHeight <= nearEnd) set(true);
      else if (scrollTop < lastTop.current - 2) set(false);
      lastTop.current = scrollTop;
    };
    const observer = new ResizeObserver(() => {
      if (pinned.current) goToEnd();
    });
    observer.observe(content);
    observer.observe(scroller);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [isReady, scrollerRef, contentRef, goToEnd, set]);
  const pin = useCallback(() => {
    set(true);
    goToEnd();
  }, [goToEnd, set]);
  return { isPinned, pin };
}
