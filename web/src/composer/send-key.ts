import type { KeyboardEvent } from 'react';

/** Enter sends, and with Shift breaks the line; on touch screens, whose keyboards lack Shift with Enter, it always breaks the line. */
export function isSendKey({ key, metaKey, ctrlKey, shiftKey, altKey, nativeEvent }: KeyboardEvent): boolean {
  if (key !== 'Enter' || nativeEvent.isComposing) return false;
  if (metaKey || ctrlKey) return true;
  return !shiftKey && !altKey && !window.matchMedia('(pointer: coarse)').matches;
}
