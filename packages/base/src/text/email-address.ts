/** Whether a text looks like an email address. This only catches typos; only a delivered mail proves that an address works. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text);
}
