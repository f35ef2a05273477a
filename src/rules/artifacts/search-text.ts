/** The text that name searches match: both names on separate lines, so that no match spans both. */
export function searchTextOf(displayName: string, filename: string): string {
  return `${displayName}\n${filename}`.toLowerCase();
}
