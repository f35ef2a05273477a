import { useRef } from 'react';

/**
 * For what stands in front of the page: when it is closed, the keyboard goes on where it was, or at the beginning of the page where
 * that is gone. The library does so for buttons of its own alone.
 */
export function useFocusReturn() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const { current } = opener;
      const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body;
      const target = isThere ? current : document.querySelector<HTMLElement>('main h1, main');
      target?.focus({ preventScroll: true });
    },
  };
}
