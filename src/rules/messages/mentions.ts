/** The most people that a comment mentions; further ones are words. */
const mostMentions = 20;

/** Scripts that are written without spaces: their words may stand directly before and after a mention. */
const spaceless = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const domainCharacter = String.raw`(?!${spaceless})[\p{L}\p{N}]`;

/**
 * A mention: an at sign and an email address, not in the middle of one. The domain ends with a letter or digit, before any other sign and
 * before a script without spaces. Bounded, because anybody may write the text.
 */
const mention = new RegExp(
  String.raw`(?<!${domainCharacter}|[._%+@-])@([\p{L}\p{N}\p{M}.!#$%&*+/=?^_{|}~-]{1,64}@(?:[.-]{0,2}${domainCharacter}){1,190})`,
  'gu',
);

/** The email addresses that a text mentions (`@ann@example.com`), in lower case and without repetition. */
export function listMentions(text: string): string[] {
  const found = new Set<string>();
  for (const [, address = ''] of text.matchAll(mention)) {
    found.add(address.toLowerCase());
    if (found.size === mostMentions) break;
  }
  return [...found];
}
