/** The most people that a comment mentions; further ones are words. */
const mostMentions = 20;

/** A mention begins a word: an at sign and an email address. Bounded, because anybody may write the text. */
const mention = /(?<![^\s(])@([^\s@<>()"',;]{1,64}@[^\s@<>()"',;]{1,190})/gu;

/** The email addresses that a text mentions (`@ann@example.com`), in lower case and without repetition. */
export function listMentions(text: string): string[] {
  const found = new Set<string>();
  for (const [, address = ''] of text.matchAll(mention)) {
    // The end of a sentence is no part of an address.
    found.add(address.replace(/[.!?:]+$/u, '').toLowerCase());
    if (found.size === mostMentions) break;
  }
  return [...found];
}
