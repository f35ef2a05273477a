import type { task as source } from '../en/task.ts';

export const task: typeof source = {
  title: '任务',
};
