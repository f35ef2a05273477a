/**
 * Maximum number of a worker's slots that one account can hold: all but an eighth, so that long steps of one account do not keep all others
 * waiting. A worker with fewer than eight slots has none to spare.
 */
export function mostSlotsOfOne(slots: number): number {
  return Math.ceil((slots * 7) / 8);
}

/** Bounds and default of an account's weight. */
export const [leastWeight, usualWeight, mostWeight] = [1, 1, 1000];

/** An account that wants slots of a worker. */
export interface Sharer {
  id: string;
  /** Slots that it has. */
  held: number;
  /** Share relative to the weights of the others. */
  weight: number;
  /** How many slots it can have, those that it has included. */
  most: number;
}

/**
 * How many tasks to take from each account with due tasks: free slots go one by one to the account that has the fewest for its weight, so
 * each has one before any gets a second, and an account with ten thousand tasks delays another's single task by at most one step.
 *
 * @param free slots to assign
 */
export function shareSlots(sharers: readonly Sharer[], free: number): Map<string, number> {
  // Among those with equally few, the weightier comes first.
  const levels = sharers.map((sharer) => ({ ...sharer, level: sharer.held })).toSorted((a, b) => b.weight - a.weight);
  const shares = new Map<string, number>();
  for (let left = free; left > 0; left -= 1) {
    let next: (typeof levels)[number] | undefined;
    for (const one of levels) {
      if (one.level < one.most && (!next || one.level * next.weight < next.level * one.weight)) next = one;
    }
    if (!next) break;
    next.level += 1;
    shares.set(next.id, next.level - next.held);
  }
  return shares;
}
