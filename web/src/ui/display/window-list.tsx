import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import type { VirtualListProps } from './virtual-list.tsx';

type List = <Item>(props: VirtualListProps<Item>) => React.JSX.Element;

// The first page shows its first rows without the code of long lists.
let loaded: List | null = null;

async function loadLongList(): Promise<void> {
  loaded = (await import('./virtual-window-list.tsx')).VirtualWindowList;
}

/** About the height of a tall screen, in pixels: what the first rows fill. */
const firstHeight = 1_700;

/** Whether somebody is using a row: by the keyboard, in a menu, or in a dialog. Another list in its place would take that away. */
function isInUse(rows: HTMLElement | null): boolean {
  return rows?.contains(document.activeElement) === true || document.querySelector('[role=menu], [role=dialog]') !== null;
}

function isEndVisible(rows: HTMLElement | null): boolean {
  const end = rows?.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  return end < window.innerHeight;
}

/** The list for any number of rows, once it is loaded and nobody is in the middle of something; null until then. */
function useLongList(rows: RefObject<HTMLElement | null>, isNeeded: boolean): List | null {
  const [list, setList] = useState<List | null>(() => loaded);
  useEffect(() => {
    if (!isNeeded || list !== null) return undefined;
    let isGone = false;
    const change = () => {
      const found = loaded;
      if (!isGone && found && (isEndVisible(rows.current) || !isInUse(rows.current))) setList(() => found);
    };
    const listening = new AbortController();
    const options = { signal: listening.signal, passive: true };
    window.addEventListener('scroll', change, options);
    document.addEventListener('focusin', change, options);
    void loadLongList().then(change);
    return () => {
      isGone = true;
      listening.abort();
    };
  }, [rows, isNeeded, list]);
  return isNeeded ? list : null;
}

/** A list of any length that scrolls with the page. */
export function WindowList<Item>(props: VirtualListProps<Item>) {
  const { label, items, keyOf, rowHeight, renderRow, onEnd } = props;
  const rows = useRef<HTMLUListElement>(null);
  const firstRows = Math.ceil(firstHeight / rowHeight);
  const isShort = items.length <= firstRows;
  useEffect(() => {
    if (isShort) onEnd?.();
  }, [isShort, onEnd]);
  const Long = useLongList(rows, !isShort) as ComponentType<VirtualListProps<Item>> | null;
  if (Long) return <Long {...props} />;
  return (
    // The height of the whole list, so that it can be scrolled to any position meanwhile.
    <ul ref={rows} aria-label={label} style={{ minHeight: items.length * rowHeight }}>
      {items.slice(0, firstRows).map((item, index) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={index + 1}>
          {renderRow(item, index)}
        </li>
      ))}
    </ul>
  );
}
