/** The preferred width of a column, and its minimum without breaking words. */
export interface ColumnRequest {
  widest: number;
  longestWord: number;
}

/** Columns that need less than their share of the width get their preferred width; the others share the rest. */
export function shareColumns(columns: readonly ColumnRequest[], width: number): number[] {
  const wanted = columns.reduce((sum, { widest }) => sum + widest, 0);
  if (wanted <= width) return columns.map(({ widest }) => widest + ((width - wanted) * widest) / wanted);
  const widths = columns.map(() => 0);
  let available = width;
  const ascending = columns.map((column, at) => ({ ...column, at })).sort((a, b) => a.widest - b.widest);
  for (const [done, { at, widest, longestWord }] of ascending.entries()) {
    const left = columns.length - done;
    const share = available / left;
    // A long word may take more than its share, as long as every later column keeps some width.
    const most = available - (left - 1) * share * 0.6;
    const granted = Math.min(widest, Math.max(share, Math.min(longestWord, most)));
    widths[at] = granted;
    available -= granted;
  }
  return widths.map((part) => part + available / columns.length);
}
