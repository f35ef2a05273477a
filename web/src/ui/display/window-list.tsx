import { type ComponentType, lazy, Suspense } from 'react';
import type { VirtualListProps } from './virtual-list.tsx';

// The first page shows its first rows without the code of long lists.
const VirtualWindowList = lazy(async () => ({ default: (await import('./virtual-window-list.tsx')).VirtualWindowList }));

/** About the height of a tall screen. */
const firstRows = 25;

/** As high as the whole list, so that a position in it can be scrolled to meanwhile. */
function FirstRows<Item>({ label, items, keyOf, rowHeight, renderRow }: VirtualListProps<Item>) {
  return (
    <ul aria-label={label} style={{ minHeight: items.length * rowHeight }}>
      {items.slice(0, firstRows).map((item, index) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={index + 1}>
          {renderRow(item, index)}
        </li>
      ))}
    </ul>
  );
}

/** A list of any length that scrolls with the page. */
export function WindowList<Item>(props: VirtualListProps<Item>) {
  const List = VirtualWindowList as ComponentType<VirtualListProps<Item>>;
  return (
    <Suspense fallback={<FirstRows {...props} />}>
      <List {...props} />
    </Suspense>
  );
}
