import type { automation as source } from '../../en/automation/automation.ts';

export const automation: typeof source = {
  defaultProfile: '默认',
  interactiveHint: '提问会出现在收件箱中。关闭后，智能体会自行决定并列出所作的假设。',
};
