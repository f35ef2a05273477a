import { useSyncExternalStore } from 'react';
import { en, type Texts } from './en.ts';

const storageKey = 'errand.locale';

/** A language with its own texts: one line here and one file next to this. */
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

/** The available languages, by tag. */
export const languageNames = Object.entries(languages).map(([tag, { name }]) => ({ tag, name }));

/** The language of a locale's texts: `zh-CN` in `zh`; English if there is none. */
export function languageOf(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return language in languages ? language : 'en';
}

/** Whether numbers and dates can be formatted in this locale. */
function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** Switches to this locale, also for the next visit. */
export async function setLocale(tag: string): Promise<void> {
  const language = languageOf(tag);
  const texts = (await languages[language]?.load()) ?? en;
  current = { tag: languageOf(tag) === language && isKnown(tag) ? tag : language, texts };
  document.documentElement.lang = current.tag;
  try {
    localStorage.setItem(storageKey, current.tag);
  } catch {
    // Without storage, the account's locale is applied shortly after loading.
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

/** All texts of the application in the current language, by area. */
export function useText(): Texts {
  return useLocale().texts;
}

/** The current locale, for code outside components. */
export function getLocale(): Locale {
  return current;
}
