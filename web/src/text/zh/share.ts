import type { share as source } from '../en/share.ts';

export const share: typeof source = {
  title: '共享的任务',
};
