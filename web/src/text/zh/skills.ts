import type { skills as source } from '../en/skills.ts';

export const skills: typeof source = {
  title: '技能',
};
