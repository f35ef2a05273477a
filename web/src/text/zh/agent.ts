import type { agent as source } from '../en/agent.ts';

export const agent: typeof source = {
  title: '智能体',
};
