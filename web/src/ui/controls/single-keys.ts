import { useSyncExternalStore } from 'react';

const storageKey = 'errand.shortcuts';
const listeners = new Set<() => void>();

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

let isOn = read();

/** Whether keys without ⌘ or Ctrl do something. People who speak to their computer switch that off. */
export function areSingleKeysOn(): boolean {
  return isOn;
}

export function setSingleKeys(isNowOn: boolean): void {
  isOn = isNowOn;
  try {
    localStorage.setItem(storageKey, isOn ? 'on' : 'off');
  } catch {
    // Without storage, it lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn);
}
