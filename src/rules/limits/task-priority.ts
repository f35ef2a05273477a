/** The priorities of an account's waiting tasks. */
export const taskPriorities = ['low', 'normal', 'high'] as const;
export type TaskPriority = (typeof taskPriorities)[number];

/** The priority of a task whose creator names none. */
export const usualPriority: TaskPriority = 'normal';

const ranks: Record<TaskPriority, number> = { high: -1, normal: 0, low: 1 };

/** The stored number of a priority: smaller ones start sooner. */
export function rankOf(priority: TaskPriority): number {
  return ranks[priority];
}

/** The priority that is stored as this number. */
export function priorityOf(rank: number): TaskPriority {
  return taskPriorities.find((priority) => ranks[priority] === rank) ?? usualPriority;
}
