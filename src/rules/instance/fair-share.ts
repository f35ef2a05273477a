/**
 * Maximum number of a worker's slots that one account can hold: all but an eighth, so that long steps of one account do not keep all others
 * waiting. A worker with fewer than eight slots has none to spare.
 */
export function mostSlotsOfOne(slots: number): number {
  return Math.ceil((slots * 7) / 8);
}

/**
 * How many tasks to take from each account with due tasks: free slots go one by one to the account that holds the fewest,
 * so an account with ten thousand tasks delays another's single task by at most one step.
 *
 * @param held running tasks of each account in this process
 * @param free slots to assign
 * @param mostEach how many tasks an account may run in this process, these included
 */
export function shareSlots(
  accountIds: readonly string[],
  held: ReadonlyMap<string, number>,
  free: number,
  mostEach = Number.POSITIVE_INFINITY,
): Map<string, number> {
  const known = accountIds.map((id) => ({ id, level: held.get(id) ?? 0, given: 0 }));
  const levels = known.filter(({ level }) => level < mostEach).toSorted((a, b) => a.level - b.level);
  const shares = new Map<string, number>();
  if (levels.length === 0 || free <= 0) return shares;
  let left = free;
  // Water filling: raise the lowest accounts together to the next level until nothing is left.
  for (let width = 1; left > 0; width = Math.min(width + 1, levels.length)) {
    const group = levels.slice(0, width);
    const top = width < levels.length ? (levels[width]?.level ?? 0) : Number.POSITIVE_INFINITY;
    const floor = (group[0]?.level ?? 0) + (group[0]?.given ?? 0);
    const rise = Math.min(top - floor, Math.floor(left / width));
    for (const account of group) account.given += rise;
    left -= rise * width;
    if (rise < top - floor) {
      for (const account of group.slice(0, left)) account.given += 1;
      break;
    }
  }
  for (const { id, level, given } of levels) if (given > 0) shares.set(id, Math.min(given, mostEach - level));
  return shares;
}
