import type { home as source } from '../en/home.ts';

export const home: typeof source = {
  title: '任务',
};
