/** Enough to catch a slip of the keyboard; whether an address works is told by a mail that arrives. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text);
}
