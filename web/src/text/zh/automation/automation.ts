import type { automation as source } from '../../en/automation/automation.ts';

export const automation: typeof source = {
  defaultProfile: '默认',
  recipe: '配方',
  noRecipe: '无（直接写消息）',
  recipeCopied: '保存时复制。之后修改配方不会影响这里。',
  keptFile: '留空则保留之前选择的文件。',
  removeFile: '移除文件',
  uploading: '文件仍在上传。',
  valueHint: '文本；{{/issue/title}} 会插入所发送内容的一部分。',
  interactiveHint: '提问会出现在收件箱中。关闭后，智能体会自行决定并列出所作的假设。',
  budget: '每次回复的预算',
  budgetHint: '一次回复（含子任务）最多可花费的金额。',
  onLimit: '达到上限时',
  onLimits: { wait: '等待更高的预算', end: '以错误结束' },
  decideIn: '无人决定时',
  decideInHint: '届时提问会得到下面的回答；操作会被拒绝。',
  noTimeLimit: '一直等待',
  times: { 600: '10 分钟', 3600: '1 小时', 14400: '4 小时', 86400: '1 天', 259200: '3 天', 604800: '1 周' },
  usualAnswer: '对提问的回答',
  usualAnswerHint: '留空时，智能体会得知无人回答，并自行判断。',
};
