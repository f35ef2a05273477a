import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance from the end, in pixels, the view follows new content. */
const nearEnd = 64;
/** For this long after input by wheel, touch, key, or scroll bar, scrolling counts as the user's. */
const handMs = 400;
const handEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

export interface PinnedEnd {
  /** Whether the view follows the end. */
  isPinned: boolean;
  /** Scrolls to the end and stays there. */
  pin(): void;
  /** Stops following, before scrolling elsewhere. */
  unpin(): void;
}

/**
 * Keeps a scroller at its end while its content grows, until the user scrolls up. `contentRef` is the growing content. Neither growth nor
 * the measuring of list rows unpins it: only scrolling up manually does.
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
  }, [isReady, goToEnd]);
  useEffect(() => {
    const scroller = scrollerRef.current;
    const content = contentRef.current;
    if (!isReady || !scroller || !content) return undefined;
    let handAtMs = 0;
    const onHand = () => {
      handAtMs = performance.now();
    };
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const isByHand = performance.now() - handAtMs < handMs;
      if (scrollHeight - scrollTop - clientHeight <= nearEnd) set(true);
      else if (isByHand && scrollTop < lastTop.current - 2) set(false);
      lastTop.current = scrollTop;
    };
    const observer = new ResizeObserver(() => {
      if (pinned.current) goToEnd();
    });
    observer.observe(content);
    observer.observe(scroller);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    for (const name of handEvents) scroller.addEventListener(name, onHand, { passive: true });
    return () => {
      observer.disconnect();
      for (const name of handEvents) scroller.removeEventListener(name, onHand);
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [isReady, scrollerRef, contentRef, goToEnd, set]);
  const pin = useCallback(() => {
    set(true);
    goToEnd();
  }, [goToEnd, set]);
  const unpin = useCallback(() => set(false), [set]);
  return { isPinned, pin, unpin };
}
