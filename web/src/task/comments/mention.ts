/** Scripts that are written without spaces: their words may stand directly before and after a mention. */
const spaceless = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const domainCharacter = String.raw`(?!${spaceless})[\p{L}\p{N}]`;
/** No mention begins in the middle of an address. */
const start = String.raw`(?<!${domainCharacter}|[._%+@-])`;
const localCharacter = String.raw`[\p{L}\p{N}\p{M}.!#$%&*+/=?^_{|}~-]`;

/** A mention of a member, as the service finds it. */
const mention = new RegExp(String.raw`${start}(@${localCharacter}{1,64}@(?:[.-]{0,2}${domainCharacter}){1,190})`, 'gu');
const typed = new RegExp(`${start}@(${localCharacter}{0,64})$`, 'u');

/** A part of a comment. */
export interface CommentPart {
  /** Where it begins. */
  at: number;
  text: string;
  isMention: boolean;
}

/** A comment in parts: mentions, and what is between them. */
export function splitMentions(text: string): CommentPart[] {
  let at = 0;
  return text.split(mention).flatMap((part, index) => {
    const one = { at, text: part, isMention: index % 2 === 1 };
    at += part.length;
    return part === '' ? [] : [one];
  });
}

/** What is being typed after an at sign before the caret; null if nothing is. */
export function readMentionQuery(text: string, caret: number): string | null {
  return typed.exec(text.slice(0, caret))?.[1] ?? null;
}

/** The text with the mention of this member in place of what was typed of it, and the caret behind it. */
export function completeMention(text: string, caret: number, email: string): { text: string; caret: number } {
  const query = readMentionQuery(text, caret) ?? '';
  const before = `${text.slice(0, caret - query.length)}${email} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}
