/** A name or title as people see it: control characters and runs of white space become single spaces, half characters U+FFFD. May be empty. */
export function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
