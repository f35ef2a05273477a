import type { share as source } from '../en/share.ts';

export const share: typeof source = {
  title: '分享的任务',
  goneTitle: '这里没有内容',
  goneBody: '该地址没有内容，或不再与你分享。请向给你链接的人索取新的链接。',
  toStart: (name: string) => `前往 ${name}`,
  madeWith: (name: string) => `由 ${name} 制作`,
  files: (_count: number, text: string) => `${text} 个文件`,
};
