import { useSyncExternalStore } from 'react';

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

/** A choice that this browser remembers under a key, as the text that `write` makes of it; null is not stored. */
export function createBrowserChoice<Value>(
  key: string,
  read: (stored: string | null) => Value,
  write: (value: Value) => string | null,
) {
  let value = read(readStored(key));
  const listeners = new Set<() => void>();
  const get = () => value;
  const set = (chosen: Value) => {
    value = chosen;
    store(key, write(chosen));
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const useValue = () => useSyncExternalStore(subscribe, get);
  return { get, set, useValue };
}
