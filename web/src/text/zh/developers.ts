import type { developers as source } from '../en/developers.ts';

export const developers: typeof source = {
  title: '开发者',
};
