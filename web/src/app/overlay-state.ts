import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'keys';

let overlay: Overlay | null = null;
const listeners = new Set<() => void>();

/** Opens what stands in front of every page, or closes it. */
export function showOverlay(next: Overlay | null): void {
  overlay = next;
  for (const listener of listeners) listener();
}

/** Whether something stands in front of the page, or is being loaded to. */
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
