import type { team as source } from '../en/team.ts';

export const team: typeof source = {
  title: '团队',
};
