/** The number of insertions, deletions, replacements and swaps of neighbors that turn one word into the other. */
function countEdits(from: string, to: string): number {
  let previous: number[] = [];
  let current = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          (current[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (current[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (previous[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    previous = current;
    current = next;
  }
  return current[to.length] ?? 0;
}

/** The name that was probably meant, or null if none is close enough. */
export function findNearestName(word: string, names: Iterable<string>): string | null {
  let nearest: string | null = null;
  let fewest = Math.ceil(word.length / 3) + 1;
  for (const name of names) {
    const edits = Math.abs(word.length - name.length) >= fewest ? fewest : countEdits(word, name);
    if (edits < fewest) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest;
}
