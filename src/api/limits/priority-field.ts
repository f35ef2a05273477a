import { z } from 'zod';
import { type TaskPriority, taskPriorities, usualPriority } from '../../rules/limits/task-priority.ts';

const about = 'Which of the waiting tasks of the account starts first (docs/build/running-tasks.md).';

/** The priority of a task in a request. */
export const priorityField = z
  .enum(taskPriorities)
  .nullish()
  .meta({ description: `${about} Default: \`normal\`.` });

/** The priority of a task in a request that changes it; null restores the default. */
export const priorityChange = z.enum(taskPriorities).nullish().meta({ description: about });

/** The priority of a task in a response. */
export const shownPriority = z.enum(taskPriorities).optional().meta({ description: 'Present unless it is `normal`.' });

export function presentPriority(priority: TaskPriority): { priority?: TaskPriority } {
  return priority === usualPriority ? {} : { priority };
}
