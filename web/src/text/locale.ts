import { useSyncExternalStore } from 'react';
import type { Texts } from './en.ts';
import { firstTexts } from './en-first.ts';

const storageKey = 'errand.locale';

/** A language with its own texts: one line here and one file next to this. */
const languages: Record<string, { name: string; load(): Promise<Texts> }> = {
  en: { name: 'English', load: async () => (await import('./en.ts')).en },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).de },
  es: { name: 'Español', load: async () => (await import('./es.ts')).es },
  zh: { name: '中文', load: async () => (await import('./zh.ts')).zh },
};

export interface Locale {
  /** BCP 47, for numbers and dates. */
  tag: string;
  texts: Texts;
}

/** Areas of other pages are missing until `loadPageTexts`; `texts.test.ts` proves that the home page names none of them. */
const firstEnglish = firstTexts as Texts;
let current: Locale = { tag: 'en', texts: firstEnglish };
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

function apply(tag: string, texts: Texts): void {
  const language = languageOf(tag);
  const isExact = tag.toLowerCase().split('-')[0] === language && isKnown(tag);
  current = { tag: isExact ? tag : language, texts };
  document.documentElement.lang = current.tag;
  try {
    localStorage.setItem(storageKey, current.tag);
  } catch {
    // Without storage, the account's locale is applied shortly after loading.
  }
  for (const listener of listeners) listener();
}

/** Switches to this locale, also for the next visit. */
export async function setLocale(tag: string): Promise<void> {
  const language = languageOf(tag);
  const isSame = language === languageOf(current.tag);
  apply(tag, isSame ? current.texts : ((await languages[language]?.load()) ?? firstEnglish));
}

/** Loads the English texts of the pages that the first visit does not show. Other languages are complete from the start. */
export async function loadPageTexts(): Promise<void> {
  if (current.texts !== firstEnglish) return;
  const { en } = await import('./en.ts');
  if (current.texts === firstEnglish) apply(current.tag, en);
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
