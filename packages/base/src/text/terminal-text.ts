import { stripVTControlCharacters } from 'node:util';

/** Untrusted text without anything that moves the cursor, changes colors or rewrites earlier lines of a terminal. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** Untrusted text on one line of at most `length` characters. */
export function cleanLine(text: string, length = 200): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}
