import { useCallback, useState } from 'react';

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Text that survives going to another page and loading this one again, in this tab. */
export function useDraft(draftKey: string): [text: string, setText: (text: string) => void] {
  const key = `errand.draft.${draftKey}`;
  const [draft, setDraft] = useState({ key, text: read(key) });
  // Another conversation in the same place has a draft of its own.
  if (draft.key !== key) setDraft({ key, text: read(key) });
  const setText = useCallback(
    (text: string) => {
      setDraft({ key, text });
      try {
        if (text === '') sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, text);
      } catch {
        // Without storage, the text lives as long as the page.
      }
    },
    [key],
  );
  return [draft.text, setText];
}
