import type { projects as source } from '../en/projects.ts';

export const projects: typeof source = {
  title: '项目',
};
