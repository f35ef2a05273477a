/** A name as people see it: one line, single spaces, nothing that a database or a header would refuse. May be empty. */
export function cleanDisplayName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
