import type { share as source } from '../en/share.ts';

export const share: typeof source = {
  title: '分享的任务',
  goneTitle: '这里没有内容',
  goneBody: '该地址没有内容，或不再与您分享。',
  madeWith: (name: string) => `由 ${name} 制作`,
};
