/** A LIKE pattern with `ESCAPE '\\'` that matches a text anywhere; its characters are literal, none is a wildcard. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (char) => `\\${char}`)}%`;
}
