import { useSyncExternalStore } from 'react';

const storageKey = 'errand.sidebar';
const listeners = new Set<() => void>();

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'collapsed';
  } catch {
    return false;
  }
}

let isCollapsed = read();

/** Expanded or collapsed; stored in this browser. */
export function toggleSidebar(): void {
  isCollapsed = !isCollapsed;
  try {
    localStorage.setItem(storageKey, isCollapsed ? 'collapsed' : 'open');
  } catch {
    // Without storage, it lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSidebarCollapsed(): boolean {
  return useSyncExternalStore(subscribe, () => isCollapsed);
}
