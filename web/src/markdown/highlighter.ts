import hljs from 'highlight.js/lib/common';
import { type CodePart, readHighlightedParts } from './highlighted-parts.ts';

/** Highlights code; null if the language is not supported. */
export function highlight(code: string, language: string): CodePart[] | null {
  if (!hljs.getLanguage(language)) return null;
  return readHighlightedParts(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
