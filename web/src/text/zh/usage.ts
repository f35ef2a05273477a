import type { usage as source } from '../en/usage.ts';

export const usage: typeof source = {
  title: '用量',
};
