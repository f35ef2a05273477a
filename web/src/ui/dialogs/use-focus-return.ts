import { useRef } from 'react';

/**
 * Returns the focus when an overlay closes: to where it was, or to the beginning of the page if that is gone. The library does so only for
 * its own buttons.
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
