import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';

export interface VirtualListProps<Item> {
  label: string;
  items: readonly Item[];
  keyOf(item: Item): string;
  /** Estimated row height; rows are measured when rendered. Pixels. */
  rowHeight: number;
  renderRow(item: Item, index: number): ReactNode;
  /** Called when the last rows become visible. */
  onEnd?: (() => void) | undefined;
}

/** Rows outside of what is visible that are in the document. */
export const rowsAhead = 8;

function useEnd(lastShown: number | undefined, count: number, onEnd: (() => void) | undefined): void {
  useEffect(() => {
    if (onEnd && lastShown !== undefined && lastShown >= count - rowsAhead) onEnd();
  }, [lastShown, count, onEnd]);
}

interface RowsProps<Item, Scroller extends Element | Window> extends Omit<VirtualListProps<Item>, 'rowHeight'> {
  virtualizer: Virtualizer<Scroller, Element>;
  offset: number;
}

/** The visible rows of a virtual list. */
export function VirtualRows<Item, Scroller extends Element | Window>({
  label,
  items,
  renderRow,
  onEnd,
  virtualizer,
  offset,
}: RowsProps<Item, Scroller>) {
  const shown = virtualizer.getVirtualItems();
  useEnd(shown.at(-1)?.index, items.length, onEnd);
  return (
    <ul aria-label={label} className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
      {shown.map(({ index, key, start }) => {
        const item = items[index];
        return item === undefined ? null : (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            {renderRow(item, index)}
          </li>
        );
      })}
    </ul>
  );
}

/** A list of any length inside a scrollable element; only the visible rows are in the document. */
export function VirtualList<Item>({
  rowHeight,
  scrollRef,
  ...props
}: VirtualListProps<Item> & { scrollRef: RefObject<HTMLElement | null> }) {
  const { items, keyOf } = props;
  // A scroller that is mounted together with the list is known only after the first rendering.
  const [, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const virtualizer = useVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    getScrollElement: () => scrollRef.current,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: rowsAhead,
  });
  return <VirtualRows virtualizer={virtualizer} offset={0} {...props} />;
}
