import { useCallback, useSyncExternalStore } from 'react';

/** The draft of the next task. */
export const newTaskDraft = 'new';

const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

const storageKeyOf = (draftKey: string) => `errand.draft.${draftKey}`;

function readDraft(draftKey: string): string {
  const known = drafts.get(draftKey);
  if (known !== undefined) return known;
  try {
    return sessionStorage.getItem(storageKeyOf(draftKey)) ?? '';
  } catch {
    return '';
  }
}

/** Puts text into the composer with this key, wherever it is. */
export function writeDraft(draftKey: string, text: string): void {
  drafts.set(draftKey, text);
  try {
    if (text === '') sessionStorage.removeItem(storageKeyOf(draftKey));
    else sessionStorage.setItem(storageKeyOf(draftKey), text);
  } catch {
    // Without storage, the text lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A draft that survives navigation and reloads of this tab. */
export function useDraft(draftKey: string): [text: string, setText: (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => readDraft(draftKey));
  const setText = useCallback((next: string) => writeDraft(draftKey, next), [draftKey]);
  return [text, setText];
}
