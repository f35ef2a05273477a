import type { limits as source } from '../../en/usage/limits.ts';

export const limits: typeof source = {
  title: '同时运行的任务',
  lead: '超出上限的任务会等待，其他任务结束后再开始。',
  none: '没有上限。',
  now: (count) => `正在运行：${count}。`,
  ofOperator: (count) => `运营者允许 ${count} 个。`,
  add: '设置上限',
  change: '更改上限',
  dialogLead: '已在运行的任务不会被中断。',
  tasks: '同时运行的任务数',
  use: (running, limit) => `正在运行 ${running} / ${limit}`,
  atMost: (limit) => `最多同时运行 ${limit} 个`,
  eachPerson: '你的产品的每个用户',
  saved: '上限已保存。',
  remove: '移除',
  removed: '上限已移除。',
  removeTitle: (name) => `移除此上限？（${name}）`,
  removeBody: '因此上限而等待的任务将开始。',
};
