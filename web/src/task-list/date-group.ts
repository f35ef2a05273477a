/** The days before today that a group of tasks covers; a month stands for itself. */
export type DateGroup = 'today' | 'yesterday' | 'week' | 'month' | { monthMs: number };

const recent: [group: 'today' | 'yesterday' | 'week' | 'month', days: number][] = [
  ['today', 0],
  ['yesterday', 1],
  ['week', 7],
  ['month', 30],
];

/** The start of a day by this browser's clock, so many days before the day of `ms`. */
function startOfDay(ms: number, daysBefore: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
}

/** The group of a time in a list that starts with the newest. Unix times in milliseconds. */
export function findDateGroup(ms: number, nowMs: number): DateGroup {
  const found = recent.find(([, days]) => ms >= startOfDay(nowMs, days));
  if (found) return found[0];
  const date = new Date(ms);
  return { monthMs: new Date(date.getFullYear(), date.getMonth()).getTime() };
}

function isSameGroup(one: DateGroup, other: DateGroup): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.monthMs === other.monthMs;
}

/** For each time, the group that starts with it; null within a group. Unix times in milliseconds, newest first. */
export function findGroupStarts(times: readonly number[], nowMs: number): (DateGroup | null)[] {
  const groups = times.map((ms) => findDateGroup(ms, nowMs));
  return groups.map((group, index) => {
    const before = groups[index - 1];
    return before !== undefined && isSameGroup(before, group) ? null : group;
  });
}
