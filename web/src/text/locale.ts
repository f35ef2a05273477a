import { useSyncExternalStore } from 'react';
import { en, type Texts } from './en.ts';

const storageKey = 'errand.locale';

/** A language with texts of its own: one line here and one file beside this. */
const languages: Record<string, { name: string; load(): Promise<Texts> }> = {
  en: { name: 'English', load: async () => en },
  zh: { name: '中文', load: async () => (await import('./zh.ts')).zh },
};

export interface Locale {
  /** BCP 47, for numbers and dates. */
  tag: string;
  texts: Texts;
}

let current: Locale = { tag: 'en', texts: en };
const listeners = new Set<() => void>();

/** The languages that people can choose, by tag. */
export const languageNames = Object.entries(languages).map(([tag, { name }]) => ({ tag, name }));

/** The language whose texts a locale is shown in: `zh-CN` in `zh`; English where there are none. */
export function languageOf(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return language in languages ? language : 'en';
}

/** Whether numbers and dates can be written in this locale. */
function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** Shows everything in this locale from now on, and on the next visit from the beginning. */
export async function setLocale(tag: string): Promise<void> {
  const language = languageOf(tag);
  const texts = (await languages[language]?.load()) ?? en;
  current = { tag: languageOf(tag) === language && isKnown(tag) ? tag : language, texts };
  document.documentElement.lang = current.tag;
  try {
    localStorage.setItem(storageKey, current.tag);
  } catch {
    // Without storage, the account's locale comes a moment after the page.
  }
  for (const listener of listeners) listener();
}

/** The locale of the last visit, else the one of the browser. */
export function firstLocale(): string {
  try {
    return localStorage.getItem(storageKey) ?? navigator.language;
  } catch {
    return navigator.language;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, getLocale, getLocale);
}

/** All texts of the application in the present language, by area. */
export function useText(): Texts {
  return useLocale().texts;
}

/** The present locale, for what is written outside components. */
export function getLocale(): Locale {
  return current;
}
