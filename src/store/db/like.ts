/** The pattern of a LIKE with `ESCAPE '\\'` that finds a text anywhere: its characters stand for themselves, none is a wildcard. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (char) => `\\${char}`)}%`;
}
