/** Which of its waiting tasks an account has started first. */
export const taskPriorities = ['low', 'normal', 'high'] as const;
export type TaskPriority = (typeof taskPriorities)[number];

/** Of a task whose creator says nothing. */
export const usualPriority: TaskPriority = 'normal';

const ranks: Record<TaskPriority, number> = { high: -1, normal: 0, low: 1 };

/** As it is stored: the smaller, the sooner. */
export function rankOf(priority: TaskPriority): number {
  return ranks[priority];
}

/** The priority that is stored as this number. */
export function priorityOf(rank: number): TaskPriority {
  return taskPriorities.find((priority) => ranks[priority] === rank) ?? usualPriority;
}
