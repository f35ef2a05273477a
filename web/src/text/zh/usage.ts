import type { usage as source } from '../en/usage.ts';

export const usage: typeof source = {
  title: '用量',
  lead: '任务停止时按模型读写的内容计算积分，每次至少一分。',
  available: '可用积分',
  refill: (time) => `每日积分将于 ${time} 补足。`,
  kinds: { refresh: '每日', periodic: '每月', event: '活动', addon: '赠予', free: '退还（扣除欠额）' },
  byDay: '最近 30 天的用量',
  teamByDay: '团队最近 30 天的用量',
  total: (_count, text) => `共 ${text} 积分`,
  creditsUsed: (_count, text) => `${text} 积分`,
  team: '团队',
  teamLead: '各成员最近 30 天的用量。',
  member: '成员',
  tasks: '任务',
  ledger: '明细',
  nothing: '还没有任何记录。',
  subject: '事项',
  type: '类型',
  types: { cost: '消耗', refund: '退还', grant: '赠予' },
  time: '时间',
  credits: '积分',
};
