import { type RefObject, useEffect, useState } from 'react';

/** Whether an element is visible or about to be, for rendering on demand. */
export function useInView(place: RefObject<Element | null>, marginPixels = 400): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: `${marginPixels}px`,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, marginPixels]);
  return isNear;
}
