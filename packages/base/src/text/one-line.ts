/** A name or title on one line, possibly empty: controls and runs of whitespace become single spaces, lone surrogates U+FFFD. */
export function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
