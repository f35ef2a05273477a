import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'keys';

let overlay: Overlay | null = null;
const listeners = new Set<() => void>();

/** Opens or closes an overlay. */
export function showOverlay(next: Overlay | null): void {
  overlay = next;
  for (const listener of listeners) listener();
}

/** Whether an overlay is open or being loaded. */
export function hasOverlay(): boolean {
  return overlay !== null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(subscribe, () => overlay);
}
