import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { rowsAhead, type VirtualListProps, VirtualRows } from './virtual-list.tsx';

/** A list of any length that scrolls with the page; only the visible rows are in the document. */
export function VirtualWindowList<Item>({ rowHeight, ...props }: VirtualListProps<Item>) {
  const { items, keyOf } = props;
  const place = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // Content above the list may grow, such as a panel that opens.
  useLayoutEffect(() => {
    const measure = () => setScrollMargin((place.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: rowsAhead,
    scrollMargin,
  });
  return (
    <div ref={place}>
      <VirtualRows virtualizer={virtualizer} offset={scrollMargin} {...props} />
    </div>
  );
}
