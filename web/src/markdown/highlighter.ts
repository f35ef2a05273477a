import hljs from 'highlight.js/lib/common';
import { type CodePart, readHighlightedParts } from './highlighted-parts.ts';

/** The parts of the code in a language; null when the language is not known here. */
export function highlight(code: string, language: string): CodePart[] | null {
  if (!hljs.getLanguage(language)) return null;
  return readHighlightedParts(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
