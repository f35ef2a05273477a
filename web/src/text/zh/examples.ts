import type { examples as source } from '../en/examples.ts';

export const examples: typeof source = {
  recorded: '录制',
  play: '播放',
  pause: '暂停',
  note: '这是一个已完成任务的录制，没有任何内容在运行。',
  reuse: '使用此请求',
};
