import type { share as source } from '../en/share.ts';

export const share: typeof source = {
  title: '分享的任务',
  goneTitle: '页面不存在',
  goneBody: '链接有误，或分享已关闭。请向发送者索取新链接。',
  toStart: (name: string) => `前往 ${name}`,
  madeWith: (name: string) => `由 ${name} 制作`,
  files: (_count: number, text: string) => `${text} 个文件`,
};
