/** A mention of a member, as the service finds it. */
const mention = /(?<![^\s(])(@[^\s@<>()"',;]{1,64}@[^\s@<>()"',;]{1,190})/gu;

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
  return /(?:^|[\s(])@([^\s@]{0,64})$/u.exec(text.slice(0, caret))?.[1] ?? null;
}

/** The text with the mention of this member in place of what was typed of it, and the caret behind it. */
export function completeMention(text: string, caret: number, email: string): { text: string; caret: number } {
  const query = readMentionQuery(text, caret) ?? '';
  const before = `${text.slice(0, caret - query.length)}${email} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}
