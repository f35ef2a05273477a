/** What name searches look into: both names, a line each, so that no match reaches from one into the other. */
export function searchTextOf(displayName: string, filename: string): string {
  return `${displayName}\n${filename}`.toLowerCase();
}
